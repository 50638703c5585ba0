import { expect, test } from 'vitest';
import { withBotStatus, withTrade } from './live-cache.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const idle = {
  id: 'a',
  is_active: false,
  last_run: null,
  nextRunAt: null,
  intervalSec: null,
  execution_count: 3,
};
const bots = [idle, { ...idle, id: 'b' }];

const status = {
  botId: 'a',
  chain: 'solana',
  status: 'started',
  message: 'started',
  nextRunAt: 5_000,
  intervalSec: 5,
  is_active: true,
} as const;
const trade = {
  botId: 'a',
  chain: 'solana',
  tradeId: 't',
  status: 'success',
  action: 'buy',
  amount: '1',
  amountSol: '1',
  amountTokens: '2',
  transactionHash: null,
  error: null,
  errorCode: null,
  errorContext: null,
} as const;

test('a started bot is active, with its next run, and has not run by that', () => {
  const [a, b] = withBotStatus(bots, status, now);
  expect(a).toEqual({ ...idle, is_active: true, nextRunAt: 5_000, intervalSec: 5 });
  expect(b).toBe(bots[1]);
});

test('a scheduled bot has just run', () => {
  const [a] = withBotStatus(bots, { ...status, message: 'scheduled' }, now);
  expect(a?.last_run).toBe(now.toISOString());
});

test('a stopped bot has no next run', () => {
  const started = withBotStatus(bots, status, now);
  const event = {
    ...status,
    status: 'stopped',
    message: 'stopped',
    is_active: false,
    nextRunAt: null,
    intervalSec: null,
  } as const;
  expect(withBotStatus(started, event, now)[0]).toEqual(idle);
});

test('a trade counts as one execution of its bot, now', () => {
  const [a, b] = withTrade(bots, trade, now);
  expect(a).toEqual({ ...idle, execution_count: 4, last_run: now.toISOString() });
  expect(b).toBe(bots[1]);
});

test('a trade without a bot changes no bot', () => {
  expect(withTrade(bots, { ...trade, botId: null }, now)).toEqual(bots);
});
