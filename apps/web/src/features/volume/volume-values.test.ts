import { describe, expect, test } from 'vitest';
import { canStart, checkVolume, newValues, RULES, type VolumeValues } from './volume-values.ts';

const filled = (chain: 'solana' | 'bsc', changes: Partial<VolumeValues> = {}): VolumeValues => ({
  ...newValues(chain, 'en'),
  masterWalletId: 'master',
  tokenAddress: ' token ',
  ...changes,
});

describe('the call that starts a session', () => {
  test('has the defaults of spec §9 on Solana', () => {
    expect(checkVolume(filled('solana'), 'solana', 'en')).toEqual({
      call: {
        chain: 'solana',
        body: {
          masterWalletId: 'master',
          tokenAddress: 'token',
          walletCount: 4,
          minSolAmount: 0.1,
          maxSolAmount: 0.2,
          tradingIntervalMs: 30_000,
          slippageBps: 100,
        },
      },
    });
  });

  test('has the defaults of spec §9 on BSC, the slippage as a percent', () => {
    expect(checkVolume(filled('bsc'), 'bsc', 'en')).toEqual({
      call: {
        chain: 'bsc',
        body: {
          masterWalletId: 'master',
          tokenAddress: 'token',
          walletCount: 4,
          minBnbAmount: 0.01,
          maxBnbAmount: 0.02,
          tradingIntervalMs: 30_000,
          slippageBps: 1,
        },
      },
    });
  });

  test('carries the pasted key alone when the session is funded by one', () => {
    const result = checkVolume(filled('bsc', { funding: 'key', masterKey: ' 0xabc ' }), 'bsc', 'en');
    expect(result).toMatchObject({ call: { body: { masterPrivateKey: '0xabc' } } });
    expect(result).not.toHaveProperty('call.body.masterWalletId');
  });

  test.each([
    ['walletCount', '1'],
    ['walletCount', '21'],
    ['walletCount', '2.5'],
    ['intervalSec', '4'],
    ['intervalSec', '301'],
    ['minAmount', '0.009'],
    ['maxAmount', '10.01'],
    ['slippage', '9'],
    ['slippage', ''],
  ] as const)('is not made with %s of "%s"', (field, text) => {
    const result = checkVolume(filled('solana', { [field]: text }), 'solana', 'en');
    expect(result).toMatchObject({ problems: { [field]: { key: 'between', rule: RULES.solana[field] } } });
  });

  test('is not made when the least amount is not below the most', () => {
    const values = filled('solana', { minAmount: '0.2', maxAmount: '0.2' });
    expect(checkVolume(values, 'solana', 'en')).toEqual({ problems: { minAmount: { key: 'range' } } });
  });
});

describe('a session can be started', () => {
  const ask = (chain: 'solana' | 'bsc', changes: Partial<VolumeValues>, isTokenValid = true) =>
    canStart(filled(chain, changes), { chain, language: 'en', isTokenValid });

  test('with a master, a token and a range', () => {
    expect(ask('solana', {})).toBe(true);
    expect(ask('bsc', { funding: 'key', masterWalletId: '', masterKey: '0x1' })).toBe(true);
  });

  test('but not without one of them', () => {
    expect(ask('solana', { masterWalletId: '' })).toBe(false);
    expect(ask('solana', {}, false)).toBe(false);
    expect(ask('solana', { minAmount: '0.3' })).toBe(false);
    expect(ask('solana', { maxAmount: 'much' })).toBe(false);
    expect(ask('bsc', { funding: 'key', masterKey: ' ' })).toBe(false);
    expect(ask('bsc', { funding: 'stored', masterWalletId: '', masterKey: '0x1' })).toBe(false);
  });
});
