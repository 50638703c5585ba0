import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processBirth } from '@kervan/database';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const LAUNCH = fileURLToPath(new URL('fixtures/launch.ts', import.meta.url));

interface Launcher {
  process: ChildProcess;
  output(): string;
  /** Waits until the address is printed. */
  ready(): Promise<void>;
  /** @returns exit code, once it has ended and closed its output */
  ended: Promise<number | null>;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

describe('the launcher process', () => {
  let dataDir: string;
  let launchers: Launcher[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'kervan-launcher-'));
    launchers = [];
  });

  afterEach(async () => {
    for (const launcher of launchers) launcher.process.kill('SIGKILL');
    await vi.waitUntil(() => livingChildren().length === 0, { timeout: 10_000 });
    await rm(dataDir, { recursive: true, force: true });
  });

  function launch(env: NodeJS.ProcessEnv = {}, modes: string[] = []): Launcher {
    const child = spawn(process.execPath, [LAUNCH, ...modes], {
      env: { ...process.env, PORT: '0', KERVAN_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    const launcher = {
      process: child,
      output: () => output,
      ready: () =>
        expect.poll(() => output, { timeout: 20_000 }).toContain('Kervan is ready: http://127.0.0.1:'),
      ended: once(child, 'close').then(([code]: (number | null)[]) => code ?? null),
    };
    launchers.push(launcher);
    return launcher;
  }

  /** Every process this data directory's launcher started and that still runs. */
  function livingChildren(): number[] {
    const state: { children: { pid: number }[] } = JSON.parse(
      read(join(dataDir, 'launcher.json')) || '{"children":[]}',
    );
    const postmaster = Number(read(join(dataDir, 'postgres/cluster/postmaster.pid')).split('\n')[0]);
    return [...state.children.map(({ pid }) => pid), postmaster].filter(
      (pid) => pid > 0 && processBirth(pid),
    );
  }

  const events = (): string[] => readFileSync(join(dataDir, 'events'), 'utf8').trim().split('\n');

  it('prints the address last and stops everything in order at Ctrl-C, with exit code 0', async () => {
    const launcher = launch();
    await launcher.ready();
    expect(launcher.output().trim().split('\n').at(-1)).toMatch(/^Kervan is ready: http:\/\/127.0.0.1:\d+$/);
    expect(livingChildren()).toHaveLength(3);

    launcher.process.kill('SIGINT');
    // Through npm one press arrives several times; that is not a second press.
    launcher.process.kill('SIGINT');
    expect(await launcher.ended).toBe(0);
    expect(livingChildren()).toEqual([]);
    expect(events().slice(-2)).toEqual(['server SIGTERM', 'sandbox SIGTERM']);
  });

  it('forces the end at a second Ctrl-C when a part hangs', async () => {
    const launcher = launch({}, ['hang']);
    await launcher.ready();
    launcher.process.kill('SIGINT');
    await expect.poll(events).toContain('server SIGTERM');
    // The press that counts as a second one comes a second later: pressed until it works, as people do.
    const pressing = setInterval(() => launcher.process.kill('SIGINT'), 300);
    expect(await launcher.ended).toBe(130);
    clearInterval(pressing);
    await expect.poll(livingChildren, { timeout: 10_000 }).toEqual([]);
  });

  it('leaves nothing running when it is killed, and the next start works', async () => {
    const killed = launch();
    await killed.ready();
    const children = livingChildren();
    killed.process.kill('SIGKILL');
    await killed.ended;

    const next = launch();
    await next.ready();
    expect(children.filter((pid) => processBirth(pid) !== '')).toEqual([]);
    expect(events()).toContain('sandbox disconnect');
    next.process.kill('SIGTERM');
    expect(await next.ended).toBe(0);
  });

  it('ends children of a killed launcher that hang before it starts its own', async () => {
    const killed = launch({}, ['hang']);
    await killed.ready();
    const children = livingChildren();
    killed.process.kill('SIGKILL');
    await killed.ended;

    const next = launch();
    await next.ready();
    expect(children.filter((pid) => processBirth(pid) !== '')).toEqual([]);
  });

  it('refuses to run twice on one data directory', async () => {
    const first = launch();
    await first.ready();
    const second = launch();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`already runs on this data directory (process ${first.process.pid})`);
    expect(livingChildren()).toHaveLength(3);
  });

  it('ends with exit code 1 and the reason when the server gives up', async () => {
    const launcher = launch({}, ['give-up']);
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain('PORT is not usable');
    expect(livingChildren()).toEqual([]);
  });

  it('lists every bad variable, the server’s own too, and starts nothing', async () => {
    const launcher = launch({
      PORT: 'x',
      HOST: '0.0.0.0',
      KERVAN_SANDBOX_BSC_PORT: '70000',
      DATABASE_URL: 'mysql://u:pw@h/d',
      KERVAN_MASTER_KEY: 'pw',
    });
    expect(await launcher.ended).toBe(1);
    const names = [
      'PORT',
      'KERVAN_SANDBOX_BSC_PORT',
      'DATABASE_URL',
      'KERVAN_MASTER_KEY',
      'KERVAN_REGISTRATION',
    ];
    for (const name of names) expect(launcher.output()).toContain(`  ${name} must`);
    expect(launcher.output()).not.toContain('pw');
    expect(read(join(dataDir, 'launcher.json'))).toBe('');
  });

  it('says that the port is taken, and starts nothing', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo; // it listens on TCP
    const launcher = launch({ PORT: String(port) });
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toBe(`Port ${port} is taken; set PORT.\n`);
    expect(read(join(dataDir, 'launcher.json'))).toBe('');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    holder.close();
  });
});
