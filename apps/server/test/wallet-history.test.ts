import { startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

// What the local Solana chain tells of a wallet, through the adapter and the API.

const UNKNOWN = '1'.repeat(64);
let solana: Awaited<ReturnType<typeof startSolanaSandbox>>;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  solana = await startSolanaSandbox({ dataDir: await createDataDir(), port: 0 });
  server = await startTestServer({
    // Nothing of BSC is asked here: port 9 answers nobody.
    env: { KERVAN_SANDBOX_SOLANA_PORT: `${solana.port}`, KERVAN_SANDBOX_BSC_PORT: '9' },
  });
  user = await server.registerUser();
});

afterAll(async () => {
  await server.stop();
  await solana.close();
});

async function createWallet(): Promise<{ id: string; public_key: string }> {
  return (await user.call('createWallet', { body: { name: 'Main' } })).data;
}

async function grant(address: string, amount: string, tokenAddress?: string): Promise<string> {
  const body = { chain: 'solana' as const, address, amount, ...(tokenAddress && { tokenAddress }) };
  return (await user.call('faucet', { body })).data.txId;
}

async function historyOf(id: string, count: number, limit?: number) {
  return await vi.waitFor(async () => {
    const { data } = await user.call('walletTransactions', {
      params: { id },
      query: limit === undefined ? {} : { limit },
    });
    expect(data).toHaveLength(count);
    return data;
  }, 10_000);
}

function usdc(): string {
  const token = solana.tokens.find((each) => each.symbol === 'USDC');
  if (!token) throw new Error('the sandbox has USDC');
  return token.address;
}

test('grants and a trade are told newest first, each with what it did to the wallet', async () => {
  const wallet = await createWallet();
  expect(await historyOf(wallet.id, 0)).toEqual([]);
  const first = await grant(wallet.public_key, '5');
  const second = await grant(wallet.public_key, '7.5', usdc());
  await historyOf(wallet.id, 2);

  const { data: bot } = await user.call('createBot', {
    body: {
      name: 'Buyer',
      wallet_id: wallet.id,
      action: 'buy',
      amount_min: 0.1,
      amount_max: 0.2,
      range_time_min: 5,
      range_time_max: 6,
      token_address: usdc(),
    },
  });
  await user.call('executeBot', { params: { id: bot.id } });
  const [swap, tokens, native] = await historyOf(wallet.id, 3);
  const trades = await vi.waitFor(async () => {
    const { data } = await user.call('listTrades', { query: { bot_id: bot.id } });
    expect(data.trades[0]?.status).toBe('success');
    return data.trades;
  }, 10_000);

  expect(native).toMatchObject({ signature: first, type: 'receive', amount: '5', symbol: 'SOL', fee: '0' });
  expect(tokens).toMatchObject({ signature: second, type: 'receive', amount: '7.5', symbol: 'USDC' });
  expect(swap).toMatchObject({
    signature: trades[0]?.transaction_hash,
    status: 'success',
    type: 'swap',
    fee: trades[0]?.fee,
    changes: [
      { tokenAddress: null, symbol: 'SOL', amount: `-${trades[0]?.amount_sol}` },
      { tokenAddress: usdc(), symbol: 'USDC', amount: trades[0]?.amount_tokens },
    ],
  });
  expect(await historyOf(wallet.id, 1, 1)).toEqual([swap]);
});

test('one transaction is told with its accounts and logs', async () => {
  const wallet = await createWallet();
  const signature = await grant(wallet.public_key, '1.25');
  await historyOf(wallet.id, 1);
  const { data } = await user.call('walletTransaction', { params: { id: wallet.id, signature } });
  expect(data).toMatchObject({ signature, status: 'success', error: null, amount: '1.25' });
  expect(data.feePayer).not.toBe(wallet.public_key);
  expect(data.accounts).toContainEqual({ address: wallet.public_key, change: '1.25' });
  expect(data.logs.join('\n')).toContain('success');
});

test("an unknown transaction, one of another wallet, and another user's wallet are not found", async () => {
  const [wallet, other] = [await createWallet(), await createWallet()];
  const signature = await grant(other.public_key, '1');
  await historyOf(other.id, 1);
  for (const asked of [UNKNOWN, 'nonsense', signature]) {
    const answer = await user.call('walletTransaction', { params: { id: wallet.id, signature: asked } });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  }
  const stranger = await server.registerUser();
  const answers = [
    await stranger.call('walletTransactions', { params: { id: other.id }, query: {} }),
    await stranger.call('walletTransaction', { params: { id: other.id, signature } }),
  ];
  expect(answers.map(codeOf)).toEqual(['WALLET_NOT_FOUND', 'WALLET_NOT_FOUND']);
});
