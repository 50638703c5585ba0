import { describe, expect, test } from 'vitest';
import type { BscBot } from '@kervan/contract';
import { checkBot, newValues, valuesOf, withAction, withFallbacks, type BotValues } from './bot-values.ts';

const bot: BscBot = {
  id: '0190f9d2-6b64-7000-8000-000000000001',
  name: 'Bot',
  wallet_id: '0190f9d2-6b64-7000-8000-000000000002',
  action: 'buy',
  amount_min: 0.05,
  amount_max: 0.1,
  range_time_min: 5,
  range_time_max: 60,
  is_active: false,
  last_run: null,
  created_at: '2026-01-01T00:00:00.000Z',
  execution_count: 0,
  network: 'sandbox',
  token_symbol: null,
  token_address: null,
  nextRunAt: null,
  intervalSec: null,
  slippage_percent: 1.5,
  pancakeswap_version: 'v3',
};

const solana = (over: Partial<BotValues> = {}, isTokenValid = true) =>
  checkBot(
    { ...newValues('solana', 'wallet', 'en'), name: 'Bot', token_address: 'mint', ...over },
    { chain: 'solana', language: 'en', bot: undefined, isTokenValid },
  );
const bsc = (over: Partial<BotValues> = {}, edited?: BscBot) =>
  checkBot(
    { ...newValues('bsc', 'wallet', 'tr'), name: 'Bot', ...over },
    { chain: 'bsc', language: 'tr', bot: edited, isTokenValid: true },
  );

describe('a new bot', () => {
  test('begins with the defaults of its chain', () => {
    expect(solana()).toMatchObject({
      checked: { action: 'buy', amount_min: 1, amount_max: 2, range_time_min: 120, range_time_max: 180 },
    });
    expect(bsc()).toMatchObject({
      checked: { amount_min: 0.01, amount_max: 0.02, slippage_percent: 1, pancakeswap_version: 'v2' },
    });
  });

  test('needs a name, a wallet and, on Solana, a token that was found', () => {
    expect(solana({ name: ' ', wallet_id: '' }, false)).toEqual({
      problems: {
        name: { code: 'BOT_NAME_REQUIRED' },
        wallet_id: { key: 'wallet_required' },
        token_address: { code: 'TOKEN_ADDRESS_INVALID' },
      },
    });
  });

  test('may wait for its token on BSC, but a token given must be one', () => {
    expect(bsc()).toHaveProperty('checked');
    const values = { ...newValues('bsc', 'wallet', 'en'), name: 'Bot', token_address: '0x1' };
    expect(checkBot(values, { chain: 'bsc', language: 'en', bot: undefined, isTokenValid: false })).toEqual({
      problems: { token_address: { code: 'TOKEN_ADDRESS_INVALID' } },
    });
  });
});

describe('amounts', () => {
  test('have the least value of their chain and action', () => {
    expect(solana({ amount_min: '0.009' })).toEqual({
      problems: { amount_min: { key: 'at_least', bound: 0.01 } },
    });
    expect(solana({ action: 'sell', amount_min: '0' })).toMatchObject({ checked: { amount_min: 0 } });
    expect(solana({ action: 'sell', amount_min: '0', amount_max: '0' })).toEqual({
      problems: { amount_min: { code: 'AMOUNT_RANGE_INVALID' } },
    });
    expect(bsc({ amount_min: '0,00001' })).toEqual({
      problems: { amount_min: { key: 'at_least', bound: 0.0001 } },
    });
  });

  test('are read in the reader’s separators', () => {
    expect(bsc({ amount_min: '0,5', amount_max: '1.234,5' })).toMatchObject({
      checked: { amount_min: 0.5, amount_max: 1234.5 },
    });
    expect(bsc({ amount_min: 'a lot' })).toEqual({ problems: { amount_min: { key: 'number_invalid' } } });
  });

  test('have a minimum below the maximum, as intervals have', () => {
    expect(solana({ amount_min: '2', range_time_min: '60', range_time_max: '60' })).toEqual({
      problems: {
        amount_min: { code: 'AMOUNT_RANGE_INVALID' },
        range_time_min: { code: 'INTERVAL_RANGE_INVALID' },
      },
    });
  });
});

describe('intervals and slippage', () => {
  test('fall back to 30 s and 1 % when blank', () => {
    const values = withFallbacks(
      { ...newValues('bsc', 'w', 'en'), range_time_min: ' ', slippage_percent: '' },
      'en',
    );
    expect(values).toMatchObject({ range_time_min: '30', range_time_max: '180', slippage_percent: '1' });
  });

  test('stay within 30 to 3600 s and 0.1 to 20 %', () => {
    expect(bsc({ range_time_min: '29', range_time_max: '3601', slippage_percent: '20,1' })).toEqual({
      problems: {
        range_time_min: { key: 'between', low: 30, high: 3600 },
        range_time_max: { key: 'between', low: 30, high: 3600 },
        slippage_percent: { key: 'between', low: 0.1, high: 20 },
      },
    });
    expect(bsc({ range_time_min: '30,5' })).toHaveProperty('problems.range_time_min');
  });

  test('that the API allowed below the form’s bounds do not stand in the way of an edit', () => {
    expect(bsc(valuesOf(bot, 'tr'), bot)).toMatchObject({ checked: { range_time_min: 5 } });
  });
});

describe('switching the action', () => {
  const context = { chain: 'bsc', bot: undefined, language: 'tr' } as const;

  test('brings the default amounts of the action on BSC', () => {
    const values = newValues('bsc', 'w', 'tr');
    expect(withAction(values, 'sell', context)).toMatchObject({ amount_min: '100', amount_max: '500' });
    expect(withAction(withAction(values, 'sell', context), 'buy', context)).toEqual(values);
  });

  test('and back brings the edited bot’s own amounts', () => {
    const values = valuesOf(bot, 'tr');
    const there = withAction(values, 'sell', { ...context, bot });
    expect(withAction(there, 'buy', { ...context, bot })).toEqual(values);
  });

  test('leaves the amounts alone on Solana', () => {
    const values = newValues('solana', 'w', 'en');
    expect(withAction(values, 'sell', { ...context, chain: 'solana' })).toEqual({
      ...values,
      action: 'sell',
    });
  });
});
