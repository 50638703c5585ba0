import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KervanError } from '@kervan/contract';
import type { Quote } from '@kervan/chains';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, expect, test, vi } from 'vitest';
import { createNetworks, type Networks } from '../src/engine/networks.ts';
import { createPriceSource } from '../src/engine/price-source.ts';
import { createFakeNetworks } from './fake-networks.ts';

const cleanUp: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.toReversed()) await undo();
});

test('a sandbox’s prices are its pools’; a network without a sandbox or a market has none', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-prices-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true }));
  const [solana, bsc] = await Promise.all([
    startSolanaSandbox({ dataDir, port: 0 }),
    startBscSandbox({ dataDir, port: 0 }),
  ]);
  cleanUp.push(
    () => solana.close(),
    () => bsc.close(),
  );
  const networks = createNetworks({ sandboxPorts: { solanaPort: solana.port, bscPort: bsc.port } });
  cleanUp.push(() => networks.close());
  const prices = createPriceSource({ networks, clock: () => new Date() });

  // Pools open at 150 and 600 dollars; what is measured is what one coin sells for, fees taken.
  const sol = await prices.nativePriceUsd('solana', 'sandbox');
  expect(Number(sol?.price)).toBeGreaterThan(149);
  expect(Number(sol?.price)).toBeLessThan(150);
  const bnb = await prices.nativePriceUsd('bsc', 'sandbox');
  expect(Number(bnb?.price)).toBeGreaterThan(598);
  expect(Number(bnb?.price)).toBeLessThan(600);
  expect(await prices.nativePriceUsd('solana', 'devnet')).toBeNull();
  expect(await prices.nativePriceUsd('bsc', 'testnet')).toBeNull();
});

test('a price is kept, refreshed behind the caller’s back, and unknown again once it is too old', async () => {
  let now = 1_000_000;
  const quote = vi.fn<() => Promise<Quote>>();
  const fake = createFakeNetworks();
  const networks: Pick<Networks, 'verifiedPort' | 'sandbox'> = {
    sandbox: undefined,
    verifiedPort: async (chain, network) => ({ ...(await fake.verifiedPort(chain, network)), quote }),
  };
  const prices = createPriceSource({ networks, clock: () => new Date(now) });
  const priced = (usdc: bigint) =>
    Promise.resolve({
      amountInUnits: 1n,
      expectedOutUnits: usdc,
      minimumOutUnits: usdc,
      priceImpactBps: null,
    });
  const priceNow = async () => (await prices.nativePriceUsd('solana', 'mainnet'))?.price;

  quote.mockReturnValue(priced(150_250_000n));
  expect(await priceNow()).toBe('150.25');
  quote.mockReturnValue(priced(151_000_000n));
  now += 5_000;
  expect(await priceNow()).toBe('150.25');
  expect(quote).toHaveBeenCalledTimes(1);
  now += 20_000;
  expect(await priceNow()).toBe('150.25');
  await vi.waitFor(async () => expect(await priceNow()).toBe('151'));

  quote.mockRejectedValue(new KervanError('NETWORK_UNREACHABLE', { network: 'Jupiter' }));
  now += 50_000;
  expect(await priceNow()).toBe('151');
  now += 11_000;
  expect(await priceNow()).toBeUndefined();
  quote.mockReturnValue(priced(152_000_000n));
  now += 5_000;
  expect(await priceNow()).toBe('152');
});
