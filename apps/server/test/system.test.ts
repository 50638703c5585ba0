import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_BASE, healthSchema, sessionSchema, successSchema } from '@kervan/contract';
import { startEmbeddedPostgres } from '@kervan/database';
import { io } from 'socket.io-client';
import { afterEach, describe, expect, test } from 'vitest';
import { createDatabase, createDataDir, startTestServer } from './harness.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Started {
  child: ChildProcess;
  url: string;
  output: () => string;
}

function spawnServer(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

async function startServer(env: NodeJS.ProcessEnv): Promise<Started> {
  const { child, output } = spawnServer(env);
  const [message] = (await once(child, 'message')) as [{ ready: true; port: number }];
  expect(message.ready).toBe(true);
  return { child, url: `http://127.0.0.1:${message.port}`, output };
}

async function healthOf(url: string) {
  const response = await fetch(`${url}${API_BASE}/health`);
  const { data } = successSchema(healthSchema).parse(await response.json());
  return { status: response.status, data };
}

async function register(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}${API_BASE}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'secret!' }),
  });
  return successSchema(sessionSchema).parse(await response.json()).data.access_token;
}

describe('health', () => {
  test('is ok while all works', async () => {
    const server = await startTestServer();
    const { status, data } = await server.call('health');
    expect(status).toBe(200);
    expect(data).toMatchObject({ status: 'ok', version: '0.1.0', halted: false });
    expect(data.parts.map((part) => part.name)).toEqual(
      expect.arrayContaining(['database', 'vault', 'scheduler', 'solana sandbox', 'bsc sandbox']),
    );
  });

  test('is degraded, and says why, while a part has a problem', async () => {
    const server = await startTestServer({
      env: { KERVAN_SANDBOX_SOLANA_PORT: '1', KERVAN_SANDBOX_BSC_PORT: '1' },
    });
    const { status, data } = await server.call('health');
    expect([status, data.status]).toEqual([200, 'degraded']);
    const part = data.parts.find(({ name }) => name === 'bsc sandbox');
    expect(part).toMatchObject({ ok: false, problem: expect.any(String) });
  });
});

describe('figures', () => {
  test('count requests by route and never by who or what', async () => {
    const server = await startTestServer({ isWorking: false });
    const user = await server.registerUser();
    await user.call('getBot', { params: { id: user.id } });
    const { body, headers } = await server.app.inject('/metrics');
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain(
      'kervan_http_request_seconds_count{method="GET",route="/api/v1/bots/:id",status="404"} 1',
    );
    expect(body).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(body).not.toContain(user.id);
    expect(body).not.toContain(user.username);
  });

  test('are for this machine only', async () => {
    const server = await startTestServer({ isWorking: false });
    const strange = [{ remoteAddress: '10.0.0.9' }, { headers: { 'x-forwarded-for': '10.0.0.9' } }];
    for (const from of strange) {
      expect((await server.app.inject({ url: '/metrics', ...from })).statusCode).toBe(404);
    }
  });
});

describe('the process', () => {
  test('names every bad variable and ends', async () => {
    const { child, output } = spawnServer({
      PORT: 'x',
      HOST: '0.0.0.0',
      KERVAN_ROLE: 'boss',
      KERVAN_MASTER_KEY: 'k',
    });
    expect(await once(child, 'exit')).toEqual([1, null]);
    const names = ['PORT', 'DATABASE_URL', 'KERVAN_ROLE', 'KERVAN_MASTER_KEY', 'KERVAN_REGISTRATION'];
    for (const name of names) expect(output()).toContain(`  ${name} must be`);
  });

  test('says in a sentence that its port is taken', async () => {
    const env = { DATABASE_URL: await createDatabase(), KERVAN_DATA_DIR: await createDataDir() };
    const { url } = await startServer(env);
    const { port } = new URL(url);
    const second = spawnServer({ ...env, PORT: port, KERVAN_LOG_LEVEL: 'fatal' });
    expect(await once(second.child, 'exit')).toEqual([1, null]);
    expect(second.output()).toBe(`Port ${port} is taken; set PORT.\n`);
  });

  test('ends cleanly on SIGTERM and when the launcher is gone, also with sockets open', async () => {
    const env = { DATABASE_URL: await createDatabase(), KERVAN_DATA_DIR: await createDataDir() };
    const ends = [
      (child: ChildProcess) => child.kill('SIGTERM'),
      (child: ChildProcess) => child.disconnect(),
    ];
    for (const [index, end] of ends.entries()) {
      const { child, url } = await startServer(env);
      expect((await healthOf(url)).data.status).toBe('ok');
      const token = await register(url, `user-${index}`);
      const sockets = ['websocket', 'polling'].map((transport) =>
        io(url, { auth: { token }, transports: [transport], reconnection: false, forceNew: true }),
      );
      await Promise.all(
        sockets.map((socket) => new Promise((resolve) => socket.once('connect', () => resolve(1)))),
      );
      const exit = once(child, 'exit');
      const askedAt = performance.now();
      end(child);
      expect(await exit).toEqual([0, null]);
      expect(performance.now() - askedAt).toBeLessThan(5_000);
    }
  });

  test('a wrong master key ends it with a sentence', async () => {
    const env = { DATABASE_URL: await createDatabase(), KERVAN_DATA_DIR: await createDataDir() };
    const { child } = await startServer({ ...env, KERVAN_MASTER_KEY: '11'.repeat(32) });
    child.disconnect();
    await once(child, 'exit');
    const wrong = spawnServer({ ...env, KERVAN_MASTER_KEY: '22'.repeat(32) });
    expect(await once(wrong.child, 'exit')).toEqual([1, null]);
    expect(wrong.output()).toBe('KERVAN_MASTER_KEY is not the key that the vault is sealed under.\n');
  });

  test('a passphrase is asked of the launcher, which has the terminal', async () => {
    const dataDir = await createDataDir();
    const file = join(dataDir, 'passphrase');
    await writeFile(file, 'correct horse battery\n');
    const env = { DATABASE_URL: await createDatabase(), KERVAN_DATA_DIR: dataDir };
    const first = await startServer({ ...env, KERVAN_PASSPHRASE_FILE: file });
    first.child.disconnect();
    await once(first.child, 'exit');

    for (const [passphrase, exitCode] of [
      ['correct horse battery', 0],
      [null, 1],
    ] as const) {
      const { child } = spawnServer(env);
      const [question] = (await once(child, 'message')) as unknown[];
      expect(question).toEqual({ ask: 'Passphrase of the vault: ' });
      const next = Promise.race([once(child, 'message'), once(child, 'exit')]);
      child.send({ passphrase });
      await next;
      if (child.connected) child.disconnect();
      await expect.poll(() => child.exitCode, { timeout: 10_000 }).toBe(exitCode);
    }
  });

  test('a worker answers for its health and nothing else', async () => {
    const { url } = await startServer({
      DATABASE_URL: await createDatabase(),
      KERVAN_DATA_DIR: await createDataDir(),
      KERVAN_ROLE: 'worker',
    });
    expect((await healthOf(url)).status).toBe(200);
    const statusOf = async (path: string, method = 'GET') => (await fetch(url + path, { method })).status;
    expect(await statusOf('/metrics')).toBe(200);
    for (const path of ['/docs', '/docs/json', '/socket.io/?EIO=4&transport=polling']) {
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    }
    expect(await statusOf(`${API_BASE}/auth/login`, 'POST')).toBe(404);
    expect(await statusOf(`${API_BASE}/health`, 'DELETE')).toBe(405);
  });

  test('outlives PostgreSQL: answers 503 while it is away and works again after', async () => {
    const dataDir = await createDataDir();
    const first = await startEmbeddedPostgres({ dataDir });
    const { url, child } = await startServer({ DATABASE_URL: first.url, KERVAN_DATA_DIR: dataDir });
    process.kill(first.pid, 'SIGQUIT');
    await first.exited;
    await expect.poll(async () => (await healthOf(url)).status, { timeout: 10_000 }).toBe(503);
    const refused = await fetch(`${url}${API_BASE}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'secret!' }),
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'UNAVAILABLE' } });

    const second = await startEmbeddedPostgres({ dataDir, port: first.port });
    await expect.poll(async () => (await healthOf(url)).status, { timeout: 20_000 }).toBe(200);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    await once(child, 'exit');
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
});
