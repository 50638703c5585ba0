import { expect, test } from 'vitest';
import { createAttemptLimiter, takeAll } from './attempt-limiter.ts';

let now = 0;
const clock = () => new Date(now);

test('a window slides, keys are apart, and an attempt can be given back', () => {
  const limiter = createAttemptLimiter(2, 1000, clock);
  limiter.take('a');
  now = 600;
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(/too many requests/);
  limiter.take('b');
  now = 1000;
  limiter.take('a').giveBack();
  const last = limiter.take('a');
  expect(() => limiter.take('a')).toThrow(/too many requests/);
  last.giveBack();
  last.giveBack();
  limiter.take('a');
  expect(() => limiter.take('a')).toThrow(/too many requests/);
});

test('an attempt that one limiter refuses is counted by none', () => {
  now = 0;
  const [wide, narrow] = [createAttemptLimiter(3, 1000, clock), createAttemptLimiter(1, 1000, clock)];
  takeAll([wide, 'a'], [narrow, 'a']);
  for (let count = 0; count < 5; count++) {
    expect(() => takeAll([wide, 'a'], [narrow, 'a'])).toThrow(/too many requests/);
  }
  takeAll([wide, 'a'], [narrow, 'b']);
});

test('a flood of keys does not fill the memory', () => {
  const limiter = createAttemptLimiter(1, 1000, clock);
  for (let key = 0; key < 50_000; key++) limiter.take(String(key));
  // The oldest was forgotten, the newest was not.
  limiter.take('0');
  expect(() => limiter.take('49999')).toThrow(/too many requests/);
});
