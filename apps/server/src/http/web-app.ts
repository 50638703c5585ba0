import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));
/** The build leaves this in the page wherever the nonce of an answer belongs (apps/web/vite.config.ts). */
const NONCE_MARK = '__KERVAN_CSP_NONCE__';
const NOT_BUILT = 'The web app is not built. Run `npm run web:build`, then reload this page.\n';

/** The web app as its build left it: the page at `/`, which is its only address, and the files that the page asks for. */
export async function addWebApp(app: FastifyInstance, dist = DIST): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(dist, 'assets'),
    prefix: '/assets/',
    // A file's name holds the hash of what is in it.
    maxAge: '1y',
    immutable: true,
    // The build has put a .br and a .gz beside what gets smaller by it.
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    decorateReply: false,
    suppressWarning: true,
  });

  app.get('/', async (_request, response) => {
    // Read each time, so that a build is served without a restart.
    const page = await readPage(dist);
    if (page === undefined) return response.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    const nonce = randomBytes(16).toString('base64');
    return response
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .send(page.replaceAll(NONCE_MARK, nonce));
  });
}

async function readPage(dist: string): Promise<string | undefined> {
  try {
    return await readFile(join(dist, 'index.html'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Nothing but this server's files. Mantine writes its theme and what depends on the screen's width as style elements. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join(';');
}
