import { expect, test } from 'vitest';
import { checkSwap, newValues, type SwapValues } from './swap-values.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `wallet ${index}`);
const key = `0x${'1'.repeat(64)}`;

function check(chain: 'solana' | 'bsc', changes: Partial<SwapValues> = {}, wallets = 1, isTokenValid = true) {
  const values = { ...newValues('en'), tokenAddress: ' token ', ...changes };
  return checkSwap(values, { chain, language: 'en', isTokenValid, walletIds: ids(wallets) });
}

test('Solana wallets go in batches of five, each wallet once and in order', () => {
  const result = check('solana', {}, 12);
  if (!('batches' in result)) throw new Error('refused');
  expect(result.batches.map(({ body }) => body.walletIds.length)).toEqual([5, 5, 2]);
  expect(result.batches.flatMap(({ body }) => body.walletIds)).toEqual(ids(12));
  expect(result.batches[0].body).toMatchObject({
    mode: 'buy',
    tokenAddress: 'token',
    percent: 25,
    slippageBps: 25,
  });
});

test('BSC wallets go all at once, with the router, the gas and the slippage as a percent', () => {
  const result = check('bsc', { version: 'v3', gas: 'custom', customGas: '1.5', slippage: '0.5' }, 12);
  expect(result).toEqual({
    batches: [
      {
        chain: 'bsc',
        body: {
          mode: 'buy',
          tokenAddress: 'token',
          percent: 25,
          walletIds: ids(12),
          privateKeys: [],
          slippageBps: 0.5,
          pancakeSwapVersion: 'v3',
          gasPrice: 1.5,
        },
      },
    ],
  });
});

test('pasted keys go without the wallets that were chosen before', () => {
  const result = check('bsc', { payment: 'pasted', pastedKeys: `${key}\nnonsense` }, 3);
  expect(result).toMatchObject({ batches: [{ body: { walletIds: [], privateKeys: [key] } }] });
});

test.each([
  ['no token', 'solana', { tokenAddress: ' ' }, { tokenAddress: { key: 'token_required' } }],
  ['slippage below', 'bsc', { slippage: '0.05' }, { slippage: { key: 'between', low: 0.1, high: 50 } }],
  ['slippage in words', 'bsc', { slippage: 'much' }, { slippage: { key: 'between', low: 0.1, high: 50 } }],
  ['half a basis point', 'solana', { slippage: '25.5' }, { slippage: { key: 'slippage_whole' } }],
  [
    'custom gas above',
    'bsc',
    { gas: 'custom', customGas: '101' },
    { customGas: { key: 'between', low: 0.1, high: 100 } },
  ],
  [
    'no valid key',
    'bsc',
    { payment: 'pasted', pastedKeys: 'nonsense' },
    { pastedKeys: { key: 'keys_invalid' } },
  ],
] as const)('%s is refused at its field', (_, chain, changes, problems) => {
  expect(check(chain, changes)).toEqual({ problems });
});

test('a token that the network does not know and a missing wallet are both named', () => {
  expect(check('solana', {}, 0, false)).toEqual({
    problems: {
      tokenAddress: { code: 'TOKEN_ADDRESS_INVALID' },
      wallets: { code: 'FAST_SWAP_WALLETS_REQUIRED' },
    },
  });
});

test('more wallets than one BSC call takes are refused', () => {
  expect(check('bsc', {}, 101)).toEqual({ problems: { wallets: { key: 'too_many', count: 100 } } });
});

test('a blank slippage is the default of its chain', () => {
  expect(check('solana', { slippage: ' ' })).toMatchObject({ batches: [{ body: { slippageBps: 25 } }] });
  expect(check('bsc', { slippage: '' })).toMatchObject({ batches: [{ body: { slippageBps: 1 } }] });
});
