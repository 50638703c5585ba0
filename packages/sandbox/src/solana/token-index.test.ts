import { describe, expect, it } from 'vitest';
import { uiTokenAmount } from './token-index.ts';

describe('a token amount', () => {
  it.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_500_000n, 6, '1.5'],
    [123n, 0, '123'],
    [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
  ])('%s with %s decimals reads %s', (amount, decimals, text) => {
    expect(uiTokenAmount(amount, decimals)).toMatchObject({
      amount: `${amount}`,
      decimals,
      uiAmountString: text,
    });
  });
});
