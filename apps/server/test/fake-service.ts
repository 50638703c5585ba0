import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface Asked {
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; undefined without one. */
  readonly body: unknown;
}

export interface FakeService {
  readonly url: string;
  readonly port: number;
  /** Every request so far. */
  readonly asked: Asked[];
  close(): Promise<void>;
}

const open = new Set<FakeService>();
afterAll(async () => {
  for (const service of open) await service.close();
});

/** A JSON service on a free port of loopback. */
export async function serveJson(
  answer: (asked: Asked) => unknown,
  statusOf: (asked: Asked) => number = () => 200,
): Promise<FakeService> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const call = { url: request.url ?? '', headers: request.headers, body };
      asked.push(call);
      response.statusCode = statusOf(call);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(call)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const service: FakeService = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    async close() {
      if (!open.delete(service)) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  open.add(service);
  return service;
}

/** A JSON-RPC node: `results` by method; what is not there is an error, as a node words it. */
export function serveNode(
  results: Readonly<Record<string, unknown>>,
  statusOf?: (asked: Asked) => number,
): Promise<FakeService> {
  return serveJson(({ body }) => {
    const answer = (call: unknown) => {
      // What is sent to a node is JSON-RPC.
      const { id, method } = call as { id: unknown; method: string };
      return Object.hasOwn(results, method)
        ? { jsonrpc: '2.0', id, result: results[method] }
        : { jsonrpc: '2.0', id, error: { code: -32_601, message: `no method ${method}` } };
    };
    return Array.isArray(body) ? body.map(answer) : answer(body);
  }, statusOf);
}
