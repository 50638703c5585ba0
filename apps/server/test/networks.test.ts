import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { afterEach, expect, test, vi } from 'vitest';
import { createNetworks, type Networks } from '../src/engine/networks.ts';
import { serveJson } from './fake-service.ts';

const cleanUp: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo();
});

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-networks-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function startSolana(dataDir: string, port = 0) {
  const sandbox = await startSolanaSandbox({ dataDir, port });
  cleanUp.push(() => sandbox.close());
  return sandbox;
}

async function startBsc(dataDir: string, port = 0) {
  const sandbox = await startBscSandbox({ dataDir, port });
  cleanUp.push(() => sandbox.close());
  return sandbox;
}

function open(sandboxPorts: { solanaPort: number; bscPort: number } | undefined): Networks {
  const networks = createNetworks({ sandboxPorts });
  cleanUp.push(() => networks.close());
  return networks;
}

function problemOf(networks: Networks, chain: 'solana' | 'bsc') {
  return networks.status().find((each) => each.chain === chain && each.network === 'sandbox')?.problem;
}

test('the sandboxes are found, described and traded on', async () => {
  const dataDir = await newDataDir();
  const [solana, bsc] = await Promise.all([startSolana(dataDir), startBsc(dataDir)]);
  const networks = open({ solanaPort: solana.port, bscPort: bsc.port });
  const port = await networks.verifiedPort('solana', 'sandbox');
  const [token] = solana.tokens;
  if (!token) throw new Error('the sandbox has tokens');
  expect(await port.describeToken(token.address)).toMatchObject({ symbol: token.symbol });
  expect(await (await networks.verifiedPort('bsc', 'sandbox')).balances([])).toEqual(new Map());
  expect(networks.status().filter((each) => !each.ok)).toEqual([]);

  const { address } = await networks.keys('bsc').createKey();
  const { txId } = (await networks.sandbox?.grant('bsc', { address, amountUnits: 5n })) ?? {};
  expect(txId).toMatch(/^0x/);
  expect(await networks.port('bsc', 'sandbox').balances([address])).toEqual(new Map([[address, 5n]]));
  await expect(
    networks.sandbox?.grant('bsc', { address: 'nonsense', amountUnits: 5n }),
  ).rejects.toMatchObject({ code: 'FAUCET_REFUSED' });
  await networks.sandbox?.setWeather('solana', { latencyMs: 1 });
  expect(await networks.sandbox?.weather('solana')).toMatchObject({ latencyMs: 1, unreachable: false });
});

test('a sandbox that comes up later is found then', async () => {
  const dataDir = await newDataDir();
  const [solanaPort, bscPort] = await Promise.all([freePort(), freePort()]);
  const networks = open({ solanaPort, bscPort });
  await vi.waitFor(() => {
    expect(problemOf(networks, 'solana')).toBe('The node of Solana sandbox does not answer.');
    expect(problemOf(networks, 'bsc')).toBe('The node of BSC sandbox does not answer.');
  });
  expect(() => networks.port('solana', 'sandbox')).toThrow(
    expect.objectContaining({ code: 'NETWORK_UNREACHABLE' }),
  );
  await startSolana(dataDir, solanaPort);
  await vi.waitFor(() => expect(networks.port('solana', 'sandbox').network).toBe('sandbox'), 5_000);
});

test('a sandbox that comes back as another chain is not traded on, until the right one is back', async () => {
  const bsc = await startBsc(await newDataDir());
  let served = 'first';
  const { port: solanaPort } = await serveJson(({ body }) =>
    body === undefined
      ? { genesisHash: served, tokens: [], programs: [] }
      : { jsonrpc: '2.0', id: (body as { id: unknown }).id, result: served },
  );
  const networks = open({ solanaPort, bscPort: bsc.port });
  await networks.verifiedPort('solana', 'sandbox');

  served = 'second';
  await vi.waitFor(
    () =>
      expect(() => networks.port('solana', 'sandbox')).toThrow(
        expect.objectContaining({
          code: 'NETWORK_MISMATCH',
          context: { expected: 'first', actual: 'second' },
        }),
      ),
    { timeout: 15_000, interval: 50 },
  );
  expect(networks.port('bsc', 'sandbox').chain).toBe('bsc');

  served = 'first';
  await vi.waitFor(() => expect(problemOf(networks, 'solana')).toBeNull(), { timeout: 5_000, interval: 50 });
  expect(networks.port('solana', 'sandbox').chain).toBe('solana');
});

test('without a sandbox its networks are not available, and unknown pairs never are', async () => {
  const networks = open(undefined);
  const unavailable = expect.objectContaining({ code: 'NETWORK_UNAVAILABLE' }) as Error;
  expect(() => networks.port('solana', 'sandbox')).toThrow(unavailable);
  expect(() => networks.port('solana', 'testnet')).toThrow(unavailable);
  expect(networks.sandbox).toBeUndefined();
  expect(networks.kind('bsc', 'mainnet')).toBe('live');
  expect(networks.status().filter((each) => each.isAvailable)).toHaveLength(4);
  const { address } = await networks.keys('solana').createKey();
  expect(networks.keys('solana').parseAddress(address)).toBe(address);
});

async function freePort(): Promise<number> {
  const service = await serveJson(() => null);
  await service.close();
  return service.port;
}
