import { expect, test } from 'vitest';
import { explorerUrl } from './explorer.ts';

test('a public explorer is asked for transactions of public networks only', () => {
  expect(explorerUrl('sandbox', 'abc')).toBeUndefined();
  expect(explorerUrl('devnet', 'abc')).toBe('https://explorer.solana.com/tx/abc?cluster=devnet');
  expect(explorerUrl('mainnet', 'abc')).toBe('https://explorer.solana.com/tx/abc');
});
