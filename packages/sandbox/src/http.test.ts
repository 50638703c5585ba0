import { afterEach, describe, expect, it } from 'vitest';
import { HttpError, serveLoopback, type HttpRoutes, type LoopbackServer } from './http.ts';

describe('the loopback server', () => {
  let server: LoopbackServer | undefined;
  afterEach(() => server?.close());

  async function ask(routes: HttpRoutes, path: string, init: RequestInit = {}): Promise<Response> {
    server = await serveLoopback({ port: 0, routes });
    return fetch(`http://127.0.0.1:${server.port}${path}`, init);
  }

  it('gives a handler the query and the body, and its answer back as JSON', async () => {
    const echo: HttpRoutes = {
      'POST /echo': ({ query, body }) => ({ status: 201, body: { a: query.get('a'), body } }),
    };
    const response = await ask(echo, '/echo?a=1', { method: 'POST', body: '{"b":[2]}' });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ a: '1', body: { b: [2] } });
  });

  it('sends JSON that is already text as it is', async () => {
    const response = await ask(
      { 'GET /big': () => ({ status: 200, body: '{"n":18446744073709551615}' }) },
      '/big',
    );
    expect(await response.text()).toBe('{"n":18446744073709551615}');
  });

  it('answers errors of the request and of handlers', async () => {
    const routes: HttpRoutes = {
      'POST /': () => ({ status: 200, body: {} }),
      'GET /teapot': () => {
        throw new HttpError(418, 'short and stout');
      },
    };
    const statusOf = async (path: string, init?: RequestInit): Promise<number> => {
      const { status } = await ask(routes, path, init);
      await server?.close();
      return status;
    };
    expect(await statusOf('/nowhere')).toBe(404);
    expect(await statusOf('/', { method: 'POST', body: 'no json' })).toBe(400);
    expect(await statusOf('/', { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024 + 1) })).toBe(413);
    expect(await statusOf('/teapot')).toBe(418);
  });

  it('cuts the connection where it is told to', async () => {
    await expect(ask({ 'GET /': () => ({ destroy: true }) }, '/')).rejects.toThrow('fetch failed');
  });
});
