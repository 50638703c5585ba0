import { NATIVE, type Chain, type VolumeSessionDetail } from '@kervan/contract';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { parseUnits } from '@kervan/domain';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

// Whole sessions on the real local chains: funded, traded, stopped, drained, and accounted for to the base unit.

const patiently = { timeout: 60_000, interval: 100 };
let solana: Awaited<ReturnType<typeof startSolanaSandbox>>;
let bsc: Awaited<ReturnType<typeof startBscSandbox>>;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  const dataDir = await createDataDir();
  [solana, bsc] = await Promise.all([
    startSolanaSandbox({ dataDir, port: 0 }),
    startBscSandbox({ dataDir, port: 0 }),
  ]);
  server = await startTestServer({
    env: { KERVAN_SANDBOX_SOLANA_PORT: `${solana.port}`, KERVAN_SANDBOX_BSC_PORT: `${bsc.port}` },
    volume: { turnDelayMs: () => 50 },
  });
  user = await server.registerUser();
});

afterAll(async () => {
  await server.stop();
  await Promise.all([solana.close(), bsc.close()]);
});

test('a Solana session gives back what it was funded with, but for fees and the price', async () => {
  const token = tokenCalled(solana.tokens, 'USDC');
  const { data: master } = await user.call('createWallet', { body: { name: 'Master' } });
  await user.call('faucet', { body: { chain: 'solana', address: master.public_key, amount: '5' } });
  const before = await nativeOf('solana', master.public_key);
  const { data: started } = await user.call('startVolume', {
    body: {
      masterWalletId: master.id,
      tokenAddress: token.address,
      walletCount: 4,
      minSolAmount: 0.1,
      maxSolAmount: 0.2,
      tradingIntervalMs: 5_000,
    },
  });
  await vi.waitFor(async () => {
    const { data: stats } = await user.call('volumeStats');
    expect(stats).toMatchObject({ isRunning: true, state: 'trading', sessionId: started.sessionId });
    expect(stats.currentCycle).toBeGreaterThanOrEqual(3);
  }, patiently);
  const { data: wallets } = await user.call('volumeWallets');
  expect(wallets).toHaveLength(4);
  await user.call('stopVolume');
  const session = await vi.waitFor(async () => {
    const { data } = await user.call('getVolumeSession', { params: { id: started.sessionId } });
    expect(data.state).toBe('ended');
    return data;
  }, patiently);
  await expectClosed('solana', session, before, await nativeOf('solana', master.public_key), token);
});

test('a BSC session of a pasted key does the same, and the key is gone after it', async () => {
  const token = tokenCalled(bsc.tokens, 'sUSD');
  const key = `0x${'5a'.repeat(32)}`;
  const { address } = await server.services.networks.keys('bsc').importKey(key);
  await user.call('faucet', { body: { chain: 'bsc', address, amount: '1' } });
  const before = await nativeOf('bsc', address);
  const { data: started } = await user.call('startBscVolume', {
    body: {
      masterPrivateKey: key,
      tokenAddress: token.address,
      walletCount: 4,
      minBnbAmount: 0.01,
      maxBnbAmount: 0.02,
      tradingIntervalMs: 5_000,
    },
  });
  await vi.waitFor(async () => {
    const { data: stats } = await user.call('bscVolumeStats');
    expect(stats.currentCycle).toBeGreaterThanOrEqual(3);
  }, patiently);
  await user.call('stopBscVolume');
  const session = await vi.waitFor(async () => {
    const { data } = await user.call('getBscVolumeSession', { params: { id: started.sessionId } });
    expect(data.state).toBe('ended');
    return data;
  }, patiently);
  await expectClosed('bsc', session, before, await nativeOf('bsc', address), token);
  const masters = await server.db.selectFrom('wallets').selectAll().where('address', '=', address).execute();
  expect(masters).toMatchObject([{ sealed_key: null, wrapped_data_key: null }]);
});

/** By the chain and by the session's account alike: nothing is missing, and nothing stays behind. */
async function expectClosed(
  chain: Chain,
  session: VolumeSessionDetail,
  before: bigint,
  after: bigint,
  token: { address: string },
): Promise<void> {
  const units = (text: string) => parseUnits(text, NATIVE[chain].decimals) ?? -1n;
  const { account } = session;
  expect(session.wallets.map(({ status }) => status)).toEqual(session.wallets.map(() => 'drained'));
  expect(session.totalTrades).toBeGreaterThan(8);
  expect(units(account.deposits)).toBe(0n);
  expect(units(account.left)).toBe(0n);
  expect(after - before).toBe(units(session.totalProfit));
  expect(before - after).toBe(units(account.fees) + units(account.masterFees) + units(account.priceLoss));
  expect(units(account.funded) - units(account.recovered)).toBe(
    units(account.fees) + units(account.priceLoss),
  );

  const port = server.services.networks.port(chain, 'sandbox');
  const addresses = session.wallets.map((wallet) => wallet.address);
  const held = [await port.balances(addresses), await port.tokenBalances(addresses, token.address)];
  for (const balances of held) expect([...balances.values()]).toEqual(addresses.map(() => 0n));
}

async function nativeOf(chain: Chain, address: string): Promise<bigint> {
  const port = server.services.networks.port(chain, 'sandbox');
  return (await port.balances([address])).get(address) ?? 0n;
}

function tokenCalled<T extends { symbol: string }>(tokens: readonly T[], symbol: string): T {
  const token = tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`the sandbox has ${symbol}`);
  return token;
}
