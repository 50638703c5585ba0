import { errorMessage } from '@kervan/contract';
import { expect, test } from 'vitest';
import { tradeFailure } from './trade-failure.ts';

const failed = {
  error: 'English words',
  errorCode: 'SIMULATION_FAILED',
  errorContext: { reason: 'STF' },
};

test.each(['tr', 'en'] as const)('a failed trade’s reason is told in %s, from its code', (language) => {
  const sentence = errorMessage('SIMULATION_FAILED', { reason: 'STF' }, language);
  expect(sentence).toContain('STF');
  expect(tradeFailure(failed, language)).toBe(sentence);
});

test('a code of a newer server is told in the server’s words', () => {
  expect(tradeFailure({ ...failed, errorCode: 'FROM_TOMORROW' }, 'tr')).toBe('English words');
});

test('a trade without a reason has none', () => {
  expect(tradeFailure({ error: null, errorCode: null, errorContext: null }, 'tr')).toBeUndefined();
});
