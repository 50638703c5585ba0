import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface HttpRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  /** Parsed JSON of a request that has a body, otherwise undefined. */
  body: unknown;
}

/**
 * An answer, or the instruction to cut the connection without one. A string body is JSON already
 * serialised; anything else is serialised here.
 */
export type HttpReply = { status: number; body: unknown } | { destroy: true };

export type HttpHandler = (request: HttpRequest) => Promise<HttpReply> | HttpReply;

/** Handlers by method and path, for instance `POST /sandbox/faucet`. */
export type HttpRoutes = Readonly<Record<string, HttpHandler>>;

export interface LoopbackServer {
  /** For protocol upgrades. */
  server: Server;
  port: number;
  close(): Promise<void>;
}

/** Thrown by a handler to answer with a status and `{error}`. */
export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
  }
}

const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Whether a request came under a name of loopback, as everybody's does who means this machine. A web page whose
 * own name was made to point here (DNS rebinding) comes under that name.
 */
export function isForLoopback({ headers }: IncomingMessage): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '');
}

/**
 * Serves JSON over keep-alive HTTP on 127.0.0.1. Port 0 takes any free one. So that no web page can use it from
 * somebody's browser, requests must be for a name of loopback (421) and what is sent must say that it is JSON
 * (415), which a page cannot do across sites without being asked first.
 */
export async function serveLoopback(options: { port: number; routes: HttpRoutes }): Promise<LoopbackServer> {
  const server = createServer((request, response) => {
    answer(options.routes, request, response).catch(() => response.destroy());
  });
  // Clients hold connections between polls; the default of 5 s would cut them in mid-use.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP port');
  return {
    server,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(routes: HttpRoutes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', 'http://loopback');
  const reply = await replyTo(routes, method, url, request);
  if ('destroy' in reply) {
    request.socket.destroy();
    return;
  }
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  response.writeHead(reply.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function replyTo(
  routes: HttpRoutes,
  method: string,
  url: URL,
  request: IncomingMessage,
): Promise<HttpReply> {
  if (!isForLoopback(request)) return { status: 421, body: { error: 'Use a name of loopback' } };
  const handler = routes[`${method} ${url.pathname}`];
  if (!handler) return { status: 404, body: { error: 'No such route' } };
  try {
    if (method !== 'GET') requireJson(request);
    const body = await readJson(request);
    return await handler({ method, path: url.pathname, query: url.searchParams, body });
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: { error: error.message } };
    return { status: 500, body: { error: error instanceof Error ? error.message : 'Internal error' } };
  }
}

function requireJson({ headers }: IncomingMessage): void {
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new HttpError(415, 'Send application/json');
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request);
  if (text === '') return undefined;
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    throw new HttpError(400, 'Request body is not JSON');
  }
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBodyBytes) reject(new HttpError(413, 'Request body too large'));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks, length).toString('utf8')));
    request.on('error', reject);
  });
}
