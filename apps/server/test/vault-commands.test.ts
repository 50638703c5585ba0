import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Chain } from '@kervan/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNetworks } from '../src/engine/networks.ts';
import { exportKeys, rotate, showStatus, type Console } from '../src/vault/commands.ts';
import type { KeySources } from '../src/vault/master-key.ts';
import { createDataDir, startTestServer, type TestServer } from './harness.ts';

// Well-known test key of EVM tool chains; worth nothing anywhere.
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
// Windows knows no such modes.
const OWNER_ONLY = process.platform === 'win32' ? 0o666 : 0o600;
const CLI = fileURLToPath(new URL('../src/vault/cli.ts', import.meta.url));
const HALT_CLI = fileURLToPath(new URL('../src/features/settings/halt-cli.ts', import.meta.url));

let server: TestServer;
let sources: KeySources;

beforeAll(async () => {
  server = await startTestServer({ isWorking: false });
  const { dataDir } = server.config;
  sources = { dataDir, environmentKey: null, askPassphrase: undefined, prefersPassphrase: false };
  const user = await server.registerUser('operator');
  await user.call('createBscWallet', { body: { name: 'imported', privateKeyHex: KEY } });
  await user.call('createWallet', { body: { name: 'generated' } });
});
afterAll(() => server.stop());

function consoleAnswering(...answers: string[]) {
  const printed: string[] = [];
  const console: Console = {
    ask: () => Promise.resolve(answers.shift() ?? ''),
    print: (line) => void printed.push(line),
  };
  return { context: { db: server.db, sources, console }, printed };
}

/** Runs a command as npm does, without a terminal. */
async function run(script: string, ...args: string[]) {
  const { databaseUrl, dataDir } = server.config;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, DATABASE_URL: databaseUrl, KERVAN_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

describe('export', () => {
  const networks = createNetworks({ sandboxPorts: undefined });
  const keys = (chain: Chain) => networks.keys(chain);
  afterAll(() => networks.close());

  test('shows each key as other wallets import it, after a confirmation', async () => {
    const { context, printed } = consoleAnswering('EXPORT');
    await exportKeys(context, keys, undefined);
    const [bsc, solana] = printed.map((line) => line.split('\t'));
    expect(bsc).toEqual(['bsc', 'operator', 'imported', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', KEY]);
    expect((await keys('solana').importKey(solana?.[4] ?? '')).address).toBe(solana?.[3]);
  });

  test('writes a file that only its owner can read, and never over another', async () => {
    const file = join(await createDataDir(), 'keys.txt');
    const { context, printed } = consoleAnswering('EXPORT', 'EXPORT');
    await exportKeys(context, keys, file);
    expect(await readFile(file, 'utf8')).toContain(KEY);
    expect((await stat(file)).mode & 0o777).toBe(OWNER_ONLY);
    expect(printed.join()).not.toContain(KEY);
    await expect(exportKeys(context, keys, file)).rejects.toThrow(/EEXIST/);
  });

  test('without the confirmation, or without a terminal, shows nothing', async () => {
    const { context, printed } = consoleAnswering('yes');
    await expect(exportKeys(context, keys, undefined)).rejects.toThrow('Nothing was exported.');
    expect(printed).toEqual([]);
    const { out, err } = await run(CLI, 'export');
    expect([out, err.trim()]).toEqual(['', 'This needs a terminal.']);
  });
});

describe('status and rotation', () => {
  test('status says where the master key comes from', async () => {
    const { context, printed } = consoleAnswering();
    await showStatus(context);
    expect(printed).toEqual([
      'Wallets: 2',
      expect.stringMatching(/the file master.key in .*, rotated 0 times/),
    ]);
    expect((await run(CLI, 'status')).out).toContain('Wallets: 2');
  });

  test('rotation is refused while a server works with the vault', async () => {
    await expect
      .poll(async () => (await run(CLI, 'rotate')).err, { timeout: 20_000, interval: 50 })
      .toContain('A server works with this vault. Stop it first.');
  });

  test('a passphrase that is typed differently the second time changes nothing', async () => {
    const { context } = consoleAnswering('correct horse battery', 'correct hores battery');
    await expect(rotate(context, 'passphrase', undefined)).rejects.toThrow(/not the same/);
    await expect(rotate(context, 'environment', 'short')).rejects.toThrow(/KERVAN_NEW_MASTER_KEY/);
    await expect(rotate(context, 'moon', undefined)).rejects.toThrow(/not moon/);
  });
});

test('npm run halt works beside a running server', async () => {
  const user = await server.registerUser();
  expect((await run(HALT_CLI, 'on')).out).toContain('Trading is halted');
  expect((await user.call('getHalt')).data).toEqual({ halted: true });
  expect((await run(HALT_CLI, 'off')).out).toContain('not halted');
  expect((await user.call('getHalt')).data).toEqual({ halted: false });
});
