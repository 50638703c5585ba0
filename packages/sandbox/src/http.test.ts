import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpError, serveLoopback, type HttpRoutes, type LoopbackServer } from './http.ts';

const json = { 'content-type': 'application/json' };

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
    const response = await ask(echo, '/echo?a=1', { method: 'POST', headers: json, body: '{"b":[2]}' });
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
    expect(await statusOf('/', { method: 'POST', headers: json, body: 'no json' })).toBe(400);
    const huge = 'x'.repeat(4 * 1024 * 1024 + 1);
    expect(await statusOf('/', { method: 'POST', headers: json, body: huge })).toBe(413);
    expect(await statusOf('/teapot')).toBe(418);
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'takes no body of type %s, which any web page could send',
    async (type) => {
      const routes: HttpRoutes = { 'POST /': () => ({ status: 200, body: {} }) };
      const headers = type === undefined ? {} : { 'content-type': type };
      const response = await ask(routes, '/', { method: 'POST', headers, body: Buffer.from('{}') });
      expect(response.status).toBe(415);
    },
  );

  it('answers under names of loopback only', async () => {
    const { port } = await serveLoopback({
      port: 0,
      routes: { 'GET /': () => ({ status: 200, body: {} }) },
    }).then((started) => (server = started));
    // fetch does not let its caller choose this header.
    const statusUnder = (host: string) =>
      new Promise((resolve, reject) => {
        request({ port, host: '127.0.0.1', headers: { host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
    for (const host of ['localhost', `127.0.0.1:${port}`, '[::1]:80']) {
      expect(await statusUnder(host)).toBe(200);
    }
    for (const host of ['rebound.example', `rebound.example:${port}`, '127.0.0.1.rebound.example']) {
      expect(await statusUnder(host)).toBe(421);
    }
  });

  it('cuts the connection where it is told to', async () => {
    await expect(ask({ 'GET /': () => ({ destroy: true }) }, '/')).rejects.toThrow('fetch failed');
  });
});
