import { mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { processBirth } from '@kervan/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStack, type Stack, type StackOptions } from '../src/stack.ts';

const PART = fileURLToPath(new URL('fixtures/part.ts', import.meta.url));

interface PartAnswer {
  pid: number;
  env: Record<string, string>;
}

async function ask(url: string): Promise<PartAnswer> {
  const answer: PartAnswer = JSON.parse(await (await fetch(url)).text());
  return answer;
}

function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && processBirth(pid) !== '';
}

describe('startStack', () => {
  let dataDir: string;
  let output: PassThrough;
  let stack: Stack | undefined;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kervan-stack-'));
    output = new PassThrough();
  });

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(options: Partial<StackOptions> = {}, modes: string[] = []): Promise<Stack> {
    stack = await startStack({
      dataDir,
      output,
      programs: { server: [PART, 'server', ...modes], sandbox: [PART, 'sandbox'] },
      ...options,
    });
    return stack;
  }

  const events = (): string[] => readFileSync(join(dataDir, 'events'), 'utf8').trim().split('\n');

  it('gives the server its addresses, and the sandbox no secret', async () => {
    const running = await start({
      env: { PATH: process.env['PATH'], KERVAN_MASTER_KEY: 'secret', PORT: '1' },
    });
    const { url, databaseUrl, sandboxPorts } = running;
    const server = await ask(url);
    expect(server.pid).toBe(running.pids().server);
    expect(server.env).toMatchObject({
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      KERVAN_DATA_DIR: dataDir,
      KERVAN_MASTER_KEY: 'secret',
      KERVAN_SANDBOX_SOLANA_PORT: String(sandboxPorts?.solana),
      KERVAN_SANDBOX_BSC_PORT: String(sandboxPorts?.bsc),
    });
    const sandbox = await ask(`http://127.0.0.1:${sandboxPorts?.solana}`);
    expect(sandbox.env).toMatchObject({ KERVAN_DATA_DIR: dataDir });
    expect(JSON.stringify(sandbox.env)).not.toContain('secret');
    expect(sandbox.env).not.toHaveProperty('DATABASE_URL');
  });

  it.each(['server', 'sandbox', 'postgres'] as const)(
    'starts a killed %s again at the same address and leaves the others alone',
    async (part) => {
      const running = await start();
      const before = running.pids();
      const addresses = [running.url, running.sandboxPorts, running.databaseUrl];
      expect(running.kill(part, 'SIGKILL')).toBe(true);
      await running.ready(part);

      const after = running.pids();
      expect(after[part]).not.toBe(before[part]);
      expect({ ...after, [part]: 0 }).toEqual({ ...before, [part]: 0 });
      expect([running.url, running.sandboxPorts, running.databaseUrl]).toEqual(addresses);
      expect((await ask(running.url)).pid).toBe(after.server);
    },
  );

  it('survives the death of all parts at once', async () => {
    const running = await start();
    for (const part of ['postgres', 'sandbox', 'server'] as const) running.kill(part, 'SIGKILL');
    for (const part of ['postgres', 'sandbox', 'server'] as const) await running.ready(part);
    expect((await ask(running.url)).pid).toBe(running.pids().server);
  });

  it('stops the server first, then the sandbox, then Postgres', async () => {
    const running = await start();
    const { postgres } = running.pids();
    await running.stop();
    expect(events().slice(-2)).toEqual(['server SIGTERM', 'sandbox SIGTERM']);
    expect(isAlive(postgres)).toBe(false);
    expect(running.pids()).toEqual({});
  });

  it('takes the sandbox ports of the last start', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.sandboxPorts).toEqual(first.sandboxPorts);
  });

  it('leaves the sandbox out when told so', async () => {
    const running = await start({ sandbox: false });
    expect(running.sandboxPorts).toBeUndefined();
    expect(running.pids()).not.toHaveProperty('sandbox');
    const { env } = await ask(running.url);
    expect(env).toMatchObject({ KERVAN_SANDBOX: 'off' });
    expect(env).not.toHaveProperty('KERVAN_SANDBOX_BSC_PORT');
  });

  it('uses the given database instead of its own', async () => {
    const running = await start({ databaseUrl: 'postgres://elsewhere/kervan' });
    expect(running.pids()).not.toHaveProperty('postgres');
    expect((await ask(running.url)).env).toMatchObject({ DATABASE_URL: 'postgres://elsewhere/kervan' });
  });

  it('fails with what the server said when it gives up at the first start, and stops the rest', async () => {
    await expect(start({}, ['give-up'])).rejects.toMatchObject({ code: 'PART_FAILED', part: 'server' });
    output.end();
    expect(await text(output)).toContain('PORT is not usable');
    expect(events().at(-1)).toBe('sandbox SIGTERM');
    await start();
  });

  it('gives up a start when asked to', async () => {
    const controller = new AbortController();
    const refusal = start({ signal: controller.signal }, ['never-ready']).catch((error: unknown) => error);
    await expect.poll(events).toContain('server listening');
    controller.abort();
    expect(await refusal).toMatchObject({ code: 'PART_FAILED' });
    expect(events().at(-1)).toBe('sandbox SIGTERM');
    await start();
  });
});
