import { describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../engine/user-settings.ts';
import type { BotWithWallet } from './repository.ts';
import { wishForRun } from './intents.ts';
import { sortRuns } from './sort-runs.ts';

const dueAt = new Date('2026-01-01T00:00:10.123Z');
const bot: BotWithWallet = {
  id: 'bot-1',
  user_id: 'user-1',
  wallet_id: 'wallet-1',
  wallet_name: 'Wallet',
  wallet_address: 'address',
  chain: 'solana',
  network: 'sandbox',
  name: 'Bot',
  action: 'sell',
  token_address: 'token',
  token_symbol: 'TOK',
  token_decimals: 6,
  amount_min: 1,
  amount_max: 2,
  range_time_min: 5,
  range_time_max: 10,
  slippage_bps: 100,
  dex_version: null,
  is_active: true,
  seed: Buffer.alloc(32),
  run_count: 7n,
  next_run_at: dueAt,
  interval_ms: 5000,
  last_run: null,
  execution_count: 7,
  failures_in_a_row: 0,
  created_at: dueAt,
  deleted_at: null,
};
const bots = new Map([[bot.id, bot]]);
const run = { botId: bot.id, run: 7n, dueAt };
const unlimited = () => DEFAULT_SETTINGS;
const limited = () => ({
  ...DEFAULT_SETTINGS,
  solana: {
    network: 'sandbox' as const,
    limits: { maxNativePerTrade: 1, maxNativePerWalletPerDay: null },
  },
});

describe('a delivered job', () => {
  test('is the current run when number and time are those of the bot, and only once', () => {
    const { current, others } = sortRuns([run, { ...run }], bots, unlimited, new Map());
    expect(current).toEqual([
      { bot, run: 7n, intent: expect.objectContaining({ idempotencyKey: 'bot:bot-1:run:7' }) as unknown },
    ]);
    expect(others).toEqual([]);
  });

  test.each([
    ['an earlier run', { ...run, run: 6n }],
    ['another time', { ...run, dueAt: new Date(dueAt.getTime() + 1) }],
  ])('of %s leads to the run that the bot waits for', (_, outdated) => {
    expect(sortRuns([outdated], bots, unlimited, new Map())).toEqual({ current: [], others: [run] });
    const { current, others } = sortRuns([outdated, run], bots, unlimited, new Map());
    expect([current.length, others.length]).toEqual([1, 0]);
  });

  test('of a bot that is not active is done with', () => {
    expect(sortRuns([run], new Map(), unlimited, new Map())).toEqual({ current: [], others: [] });
  });

  test('of a bot that lost its token is answered in words', () => {
    const broken = new Map([[bot.id, { ...bot, token_address: null }]]);
    const [only] = sortRuns([run], broken, unlimited, new Map()).current;
    expect(only?.intent).toMatchObject({ code: 'BOT_TOKEN_REQUIRED' });
  });
});

describe('a sell under limits', () => {
  const wish = wishForRun(bot, 7n, limited());
  if (!wish) throw new Error('the bot has a token');

  test('is planned with the weight of its quote', () => {
    const { current } = sortRuns([run], bots, limited, new Map([[bot.id, { wish, weight: 5n }]]));
    expect(current[0]?.intent).toMatchObject({ limitValueUnits: 5n });
  });

  test('comes again when there is no quote, or one for another amount', () => {
    const edited = { ...wish, amountInUnits: wish.amountInUnits + 1n };
    for (const weights of [new Map(), new Map([[bot.id, { wish: edited, weight: 5n }]])])
      expect(sortRuns([run], bots, limited, weights)).toEqual({ current: [], others: [run] });
  });
});
