import { createServer } from 'node:net';

/**
 * A TCP port of the loopback address on which nobody listens at the moment. Between the answer and its use
 * somebody else may take it: the user of the port must be ready to fail.
 *
 * @param preferred taken when it is free; 0 or absent: any
 */
export async function findFreePort(preferred = 0): Promise<number> {
  return (await probe(preferred)) ?? (await probe(0)) ?? 0;
}

function probe(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (port === 0 ? reject(error) : resolve(undefined)));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : undefined;
      server.close(() => resolve(found));
    });
  });
}
