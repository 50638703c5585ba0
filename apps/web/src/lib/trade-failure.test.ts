import { expect, test } from 'vitest';
import { tradeFailureOf } from './trade-failure.ts';

const line = (figures: object) => ({ level: 'error', data: JSON.stringify(figures) }) as const;

test('a failed trade’s line tells its reason and what fills the sentence', () => {
  const figures = { code: 'TRADE_FAILED', reason: 'SIMULATION_FAILED', tradeId: 't', action: 'buy' };
  expect(tradeFailureOf(line(figures))).toEqual({
    tradeId: 't',
    code: 'SIMULATION_FAILED',
    context: figures,
  });
});

test('any other line tells nothing', () => {
  expect(tradeFailureOf(line({ code: 'BOT_STOPPED_AFTER_FAILURES', failures: 5 }))).toBeUndefined();
  expect(tradeFailureOf({ level: 'error', data: '{' })).toBeUndefined();
  expect(tradeFailureOf({ level: 'error', data: null })).toBeUndefined();
  expect(tradeFailureOf({ level: 'info', data: '{"code":"TRADE_FAILED"}' })).toBeUndefined();
});
