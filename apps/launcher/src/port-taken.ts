import { createServer } from 'node:net';

/** Thrown before anything is started, because the server could not listen in the end. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly code = 'PORT_TAKEN';

  constructor(port: number) {
    super(`Port ${port} is taken; set PORT.`);
  }
}

/** @throws PortTakenError when somebody listens there; what else may be wrong with the address, the server tells */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const probe = createServer();
  probe.once('error', ({ code }: NodeJS.ErrnoException) =>
    code === 'EADDRINUSE' ? reject(new PortTakenError(port)) : resolve(),
  );
  probe.listen(port, host, () => probe.close(() => resolve()));
  await promise;
}
