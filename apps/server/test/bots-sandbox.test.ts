import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { parseUnits } from '@kervan/domain';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

// The whole way, on the real local chains: key made in the vault, faucet, schedule, executor, chain, console.

const patiently = { timeout: 30_000, interval: 100 };
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
  });
  user = await server.registerUser();
});

afterAll(async () => {
  await server.stop();
  await Promise.all([solana.close(), bsc.close()]);
});

async function lastTrade(botId: string) {
  return await vi.waitFor(async () => {
    const { data } = await user.call('listTrades', { query: { bot_id: botId } });
    const [trade] = data.trades;
    expect(trade?.status).toBe('success');
    return trade as NonNullable<typeof trade>;
  }, patiently);
}

test('a Solana bot buys on schedule, and the wallet holds exactly what the trade says', async () => {
  const token = solana.tokens.find((each) => each.symbol === 'USDC');
  if (!token) throw new Error('the sandbox has USDC');
  const { data: wallet } = await user.call('createWallet', { body: { name: 'Main' } });
  await user.call('faucet', { body: { chain: 'solana', address: wallet.public_key, amount: '5' } });
  const { data: bot } = await user.call('createBot', {
    body: {
      name: 'Buyer',
      wallet_id: wallet.id,
      action: 'buy',
      amount_min: 0.1,
      amount_max: 0.2,
      range_time_min: 5,
      range_time_max: 6,
      token_address: token.address,
    },
  });
  expect(bot.token_symbol).toBe('USDC');
  const { data: started } = await user.call('startBot', { params: { id: bot.id } });
  const trade = await lastTrade(bot.id);
  await user.call('stopBot', { params: { id: bot.id } });

  expect(new Date(trade.created_at).getTime()).toBeGreaterThanOrEqual(started.nextRunAt ?? Infinity);
  expect(new Date(trade.created_at).getTime() - (started.nextRunAt ?? 0)).toBeLessThan(2_000);
  expect(trade.amount_sol).toBe(trade.amount_in);
  // A dollar token costs about a dollar.
  expect(Number(trade.price)).toBeCloseTo(1, 1);
  expect(Number(trade.usd)).toBeCloseTo(Number(trade.amount_tokens), -1);

  await vi.waitFor(async () => {
    const { data: native } = await user.call('walletBalances');
    const lamports = [trade.amount_sol, trade.fee, trade.tip, trade.rent].map((text) => units(text, 9));
    const spent = lamports.reduce((sum, each) => sum + each, 0n);
    expect(units(native[wallet.public_key]?.sol ?? null, 9)).toBe(5_000_000_000n - spent);
  }, patiently);
  const { data: tokens } = await user.call('walletTokenBalances', { query: { tokenAddress: token.address } });
  expect(tokens[wallet.public_key]).toBe(trade.amount_tokens);
  const { data: logs } = await user.call('botLogs', { params: { id: bot.id } });
  expect(logs.filter((line) => line.level === 'success')).toHaveLength(1);
});

test('a BSC bot sells what it holds when executed, in both versions of the exchange', async () => {
  const token = bsc.tokens.find((each) => each.symbol === 'sUSD');
  if (!token) throw new Error('the sandbox has sUSD');
  const { data: wallet } = await user.call('createBscWallet', { body: { name: 'B' } });
  const { address } = wallet;
  await user.call('faucet', { body: { chain: 'bsc', address, amount: '1' } });
  await user.call('faucet', { body: { chain: 'bsc', address, amount: '100', tokenAddress: token.address } });
  let held = parseUnits('100', token.decimals) ?? 0n;
  for (const pancakeswap_version of ['v2', 'v3'] as const) {
    const { data: bot } = await user.call('createBscBot', {
      body: {
        name: `Seller ${pancakeswap_version}`,
        wallet_id: wallet.id,
        action: 'sell',
        amount_min: 1,
        amount_max: 2,
        range_time_min: 30,
        range_time_max: 60,
        token_address: token.address,
        pancakeswap_version,
      },
    });
    await user.call('executeBscBot', { params: { id: bot.id } });
    const trade = await lastTrade(bot.id);
    held -= units(trade.amount_tokens, token.decimals);
    expect(Number(trade.price)).toBeCloseTo(1, 1);
  }
  const { data: tokens } = await user.call('bscTokenBalances', {
    body: { addresses: [address], tokenAddress: token.address },
  });
  expect(units(tokens[address.toLowerCase()] ?? null, token.decimals)).toBe(held);
});

test('a BSC bot can be told to trade in the very moment in which one of its trades ends', async () => {
  const token = bsc.tokens.find((each) => each.symbol === 'sUSD');
  const { data: wallet } = await user.call('createBscWallet', { body: { name: 'Busy' } });
  await user.call('faucet', { body: { chain: 'bsc', address: wallet.address, amount: '5' } });
  const { data: bot } = await user.call('createBscBot', {
    body: {
      name: 'Busy',
      wallet_id: wallet.id,
      action: 'buy',
      amount_min: 0.01,
      amount_max: 0.02,
      range_time_min: 30,
      range_time_max: 60,
      token_address: token?.address ?? '',
    },
  });
  const statuses = new Set<number>();
  const ended = async () => {
    const { data } = await user.call('listTrades', { query: { bot_id: bot.id, status: 'success' } });
    return data.total;
  };
  while ((await ended()) < 8) {
    const answers = await Promise.all(
      [0, 1].map(() => user.call('executeBscBot', { params: { id: bot.id } })),
    );
    for (const { status } of answers) statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
});

function units(text: string | null, decimals: number): bigint {
  return parseUnits(text ?? 'none', decimals) ?? -1n;
}
