import { expect, test } from 'vitest';
import { isOpen, openStates, tradeStates, tradeStatus } from './trade.ts';

test('an open trade is pending to the outside, an ended one is what it ended as', () => {
  expect(tradeStates.map(tradeStatus)).toEqual(['pending', 'pending', 'success', 'failed', 'cancelled']);
});

test('the states a trade can be driven from are exactly the open ones', () => {
  expect(tradeStates.filter(isOpen)).toEqual(openStates);
});
