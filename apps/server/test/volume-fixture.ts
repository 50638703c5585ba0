import { NATIVE, type Chain, type VolumeSessionDetail, type VolumeStats } from '@kervan/contract';
import { parseUnits } from '@kervan/domain';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import {
  createDataDir,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestUser,
} from './harness.ts';

export const patiently = { timeout: 90_000, interval: 100 };

type MasterField = { masterWalletId: string } | { masterPrivateKey: string };

/** How a session is started and looked at, on one chain or the other. */
export interface OnChain {
  readonly chain: Chain;
  readonly token: string;
  /** A funded master: its address, and how a start names it. */
  master(): Promise<{ address: string; named: { masterWalletId: string } }>;
  start(master: MasterField, walletCount: number): Promise<string>;
  stats(): Promise<VolumeStats>;
  stop(): Promise<unknown>;
  session(sessionId: string): Promise<VolumeSessionDetail>;
  drain(sessionId: string): Promise<unknown>;
  nativeOf(address: string): Promise<bigint>;
}

/** A server on both real local chains for the test file that asks for it. */
export function onSandboxes(options: TestServerOptions) {
  let chains: [Awaited<ReturnType<typeof startSolanaSandbox>>, Awaited<ReturnType<typeof startBscSandbox>>];
  let server: TestServer;
  let user: TestUser;

  beforeAll(async () => {
    const dataDir = await createDataDir();
    chains = await Promise.all([
      startSolanaSandbox({ dataDir, port: 0 }),
      startBscSandbox({ dataDir, port: 0 }),
    ]);
    const [solana, bsc] = chains;
    server = await startTestServer({
      env: { KERVAN_SANDBOX_SOLANA_PORT: `${solana.port}`, KERVAN_SANDBOX_BSC_PORT: `${bsc.port}` },
      ...options,
    });
    user = await server.registerUser();
  });

  afterAll(async () => {
    await server.stop();
    await Promise.all(chains.map((chain) => chain.close()));
  });

  const nativeOf = (chain: Chain) => async (address: string) => {
    const port = server.services.networks.port(chain, 'sandbox');
    return (await port.balances([address])).get(address) ?? 0n;
  };
  const common = { walletCount: 4, tradingIntervalMs: 5_000 };

  return {
    server: () => server,
    user: () => user,
    on: {
      solana: (symbol = 'USDC'): OnChain => ({
        chain: 'solana',
        token: addressOf(chains[0].tokens, symbol),
        async master() {
          const { data } = await user.call('createWallet', { body: { name: 'Master' } });
          const address = data.public_key;
          await user.call('faucet', { body: { chain: 'solana', address, amount: '5' } });
          return { address, named: { masterWalletId: data.id } };
        },
        async start(master, walletCount) {
          if (!('masterWalletId' in master)) throw new Error('Solana takes stored wallets only');
          const amounts = { minSolAmount: 0.1, maxSolAmount: 0.2 };
          const tokenAddress = addressOf(chains[0].tokens, symbol);
          const body = { ...common, ...amounts, ...master, tokenAddress, walletCount };
          return (await user.call('startVolume', { body })).data.sessionId;
        },
        stats: async () => (await user.call('volumeStats')).data,
        stop: async () => (await user.call('stopVolume')).data,
        session: async (id) => (await user.call('getVolumeSession', { params: { id } })).data,
        drain: async (id) => (await user.call('drainVolumeSession', { params: { id } })).data,
        nativeOf: nativeOf('solana'),
      }),
      bsc: (symbol = 'sUSD'): OnChain => ({
        chain: 'bsc',
        token: addressOf(chains[1].tokens, symbol),
        async master() {
          const { data } = await user.call('createBscWallet', { body: { name: 'Master' } });
          const { address } = data;
          await user.call('faucet', { body: { chain: 'bsc', address, amount: '1' } });
          return { address, named: { masterWalletId: data.id } };
        },
        async start(master, walletCount) {
          const amounts = { minBnbAmount: 0.01, maxBnbAmount: 0.02 };
          const tokenAddress = addressOf(chains[1].tokens, symbol);
          const body = { ...common, ...amounts, ...master, tokenAddress, walletCount };
          return (await user.call('startBscVolume', { body })).data.sessionId;
        },
        stats: async () => (await user.call('bscVolumeStats')).data,
        stop: async () => (await user.call('stopBscVolume')).data,
        session: async (id) => (await user.call('getBscVolumeSession', { params: { id } })).data,
        drain: async (id) => (await user.call('drainBscVolumeSession', { params: { id } })).data,
        nativeOf: nativeOf('bsc'),
      }),
    } satisfies Record<Chain, (symbol?: string) => OnChain>,
  };
}

export async function reachCycle(on: OnChain, cycle: number): Promise<void> {
  await vi.waitFor(async () => {
    expect((await on.stats()).currentCycle).toBeGreaterThanOrEqual(cycle);
  }, patiently);
}

export async function ended(on: OnChain, sessionId: string): Promise<VolumeSessionDetail> {
  return await vi.waitFor(async () => {
    const data = await on.session(sessionId);
    expect(data.state).toBe('ended');
    return data;
  }, patiently);
}

/** By the chain and by the session's account alike: nothing is missing, and nothing stays behind. */
export async function expectClosed(
  server: TestServer,
  { chain, token }: OnChain,
  session: VolumeSessionDetail,
  before: bigint,
  after: bigint,
): Promise<void> {
  const units = (text: string) => parseUnits(text, NATIVE[chain].decimals) ?? -1n;
  const { account } = session;
  const fees = units(account.fees) + units(account.masterFees);
  expect(session.wallets.map(({ status }) => status)).toEqual(session.wallets.map(() => 'drained'));
  expect([account.deposits, account.left]).toEqual(['0', '0']);
  expect(after - before).toBe(units(session.totalProfit));
  expect(before - after).toBe(fees + units(account.priceLoss));

  const port = server.services.networks.port(chain, 'sandbox');
  const addresses = session.wallets.map((wallet) => wallet.address);
  const held = [await port.balances(addresses), await port.tokenBalances(addresses, token)];
  for (const balances of held) expect([...balances.values()]).toEqual(addresses.map(() => 0n));
}

function addressOf(tokens: readonly { symbol: string; address: string }[], symbol: string): string {
  const token = tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`the sandbox has ${symbol}`);
  return token.address;
}
