import { expect, test } from 'vitest';
import { explorerUrl } from './explorer.ts';

test('a public explorer is asked for transactions of public networks only', () => {
  expect(explorerUrl('solana', 'sandbox', 'abc')).toBeUndefined();
  expect(explorerUrl('bsc', 'sandbox', '0xabc')).toBeUndefined();
  expect(explorerUrl('solana', 'devnet', 'abc')).toBe('https://explorer.solana.com/tx/abc?cluster=devnet');
  expect(explorerUrl('solana', 'mainnet', 'abc')).toBe('https://explorer.solana.com/tx/abc');
  expect(explorerUrl('bsc', 'testnet', '0xabc')).toBe('https://testnet.bscscan.com/tx/0xabc');
  expect(explorerUrl('bsc', 'mainnet', '0xabc')).toBe('https://bscscan.com/tx/0xabc');
});
