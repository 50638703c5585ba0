import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../src/app.ts';
import { createHttpServer } from '../src/http/create-http-server.ts';
import { addWebApp } from '../src/http/web-app.ts';
import { createLogger } from '../src/lib/logger.ts';
import { createDataDir, startTestServer } from './harness.ts';

const PAGE =
  '<style nonce="__KERVAN_CSP_NONCE__"></style><script nonce="__KERVAN_CSP_NONCE__" src="/assets/app.js">';
const SCRIPT = 'export const app = 1;\n'.repeat(100);

const logger = createLogger('silent', { write: () => {} });

async function serve(dist: string): Promise<FastifyInstance> {
  const app = await createHttpServer({
    log: logger,
    isHostAllowed: (host) => host !== 'other.example',
    onRequestEnded: () => {},
  });
  await addWebApp(app, dist);
  return app;
}

describe('a build', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const dist = await createDataDir();
    await Promise.all(['assets', '.vite'].map((folder) => mkdir(join(dist, folder))));
    const files = {
      'index.html': PAGE,
      'assets/app.js': SCRIPT,
      'assets/app.js.br': brotliCompressSync(SCRIPT),
      'assets/app.js.gz': gzipSync(SCRIPT),
      'assets/letters.woff2': 'letters',
      'assets/.hidden': 'hidden',
      '.vite/manifest.json': '{}',
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(dist, name), content);
    app = await serve(dist);
  });
  afterAll(() => app.close());

  test('is a page at / whose nonce is in its policy, and another in every answer', async () => {
    const nonces = new Set<string>();
    for (const method of ['GET', 'GET', 'HEAD'] as const) {
      const { statusCode, headers, payload } = await app.inject({ method, url: '/' });
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['x-content-type-options']).toBe('nosniff');
      const [, nonce = ''] = /'nonce-([^']{22,})'/.exec(String(headers['content-security-policy'])) ?? [];
      expect(headers['content-security-policy']).toBe(
        `default-src 'none';script-src 'self';style-src 'self' 'nonce-${nonce}';font-src 'self';img-src 'self';` +
          "connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';object-src 'none'",
      );
      expect(payload).toBe(method === 'GET' ? PAGE.replaceAll('__KERVAN_CSP_NONCE__', nonce) : '');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });

  test('sends its policy once over a real connection', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const response = await new Promise<string[]>((resolve, reject) => {
      request(address, (answer) => {
        answer.resume();
        resolve(answer.rawHeaders);
      })
        .on('error', reject)
        .end();
    });
    expect(response.filter((name) => /^(content-security-policy|cache-control)$/i.test(name))).toHaveLength(
      2,
    );
  });

  test.each([
    ['br', 'br', (bytes: Buffer) => brotliDecompressSync(bytes).toString()],
    ['gzip, deflate, br', 'br', (bytes: Buffer) => brotliDecompressSync(bytes).toString()],
    ['gzip', 'gzip', (bytes: Buffer) => gunzipSync(bytes).toString()],
    ['identity', undefined, String],
  ])('has files for a year, compressed for who accepts %s', async (accepted, encoding, decode) => {
    const { statusCode, headers, rawPayload } = await app.inject({
      url: '/assets/app.js',
      headers: { 'accept-encoding': accepted },
    });
    expect(statusCode).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toMatch(/^(application|text)\/javascript/);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['vary']).toMatch(/accept-encoding/i);
    expect(decode(rawPayload)).toBe(SCRIPT);
  });

  test('has files that no compression makes smaller as they are', async () => {
    const { headers, payload } = await app.inject({
      url: '/assets/letters.woff2',
      headers: { 'accept-encoding': 'br, gzip' },
    });
    expect([headers['content-encoding'], headers['content-type'], payload]).toEqual([
      undefined,
      'font/woff2',
      'letters',
    ]);
  });

  test.each([
    '/.vite/manifest.json',
    '/assets/.hidden',
    '/assets/../.vite/manifest.json',
    '/assets/%2e%2e/.vite/manifest.json',
    '/assets/..%2findex.html',
    '/assets/',
    '/assets',
    '/assets/gone.js',
    '/index.html',
    '/bots',
  ])('has nothing at %s', async (url) => {
    const response = await app.inject({ url, headers: { accept: 'text/html' } });
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({ success: false, data: null });
  });

  test('is for allowed host names only', async () => {
    for (const url of ['/', '/assets/app.js']) {
      expect((await app.inject({ url, headers: { host: 'other.example' } })).statusCode).toBe(421);
    }
  });
});

test('without a build the page says how to make one, and a build is served without a restart', async () => {
  const dist = await createDataDir();
  const app = await serve(join(dist, 'later'));
  const before = await app.inject('/');
  expect([before.statusCode, before.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8']);
  expect(before.payload).toContain('npm run web:build');
  expect((await app.inject('/assets/app.js')).statusCode).toBe(404);
  await mkdir(join(dist, 'later', 'assets'), { recursive: true });
  await writeFile(join(dist, 'later', 'index.html'), PAGE);
  await writeFile(join(dist, 'later', 'assets', 'app.js'), SCRIPT);
  expect((await app.inject('/')).statusCode).toBe(200);
  expect((await app.inject('/assets/app.js')).payload).toBe(SCRIPT);
  await app.close();
});

test('a worker has no web app, any other role has, and the API’s document leaves it out', async () => {
  const { app, services, config } = await startTestServer({ isWorking: false });
  const worker = await buildApp(services, {
    logger,
    config: { ...config, role: 'worker' },
    requestsPerMinute: null,
  });
  for (const url of ['/', '/assets/*']) {
    expect([url, app.hasRoute({ method: 'GET', url })]).toEqual([url, true]);
    expect([url, worker.hasRoute({ method: 'GET', url })]).toEqual([url, false]);
  }
  const { paths } = (await app.inject('/docs/json')).json<{ paths: object }>();
  expect(Object.keys(paths).filter((path) => !/^\/(api\/v1\/|metrics$)/.test(path))).toEqual([]);
});
