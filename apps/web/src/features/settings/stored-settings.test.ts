import type { Settings } from '@kervan/contract';
import { expect, test } from 'vitest';
import { storeSettings } from './stored-settings.ts';

const limits = { maxNativePerTrade: null, maxNativePerWalletPerDay: null };
const settings: Settings = {
  solana: { network: 'devnet', limits, providerKey: 'abcd…wxyz' },
  bsc: { network: 'testnet', chainId: 97, rpcUrl: 'https://node.example/…', limits },
};

test('the browser keeps the networks and what is shown of key and node', () => {
  const stored = new Map<string, string>();
  const storage = {
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  storeSettings(settings, storage);
  expect(Object.fromEntries(stored)).toEqual({
    provider_network: 'devnet',
    provider_key_masked: 'abcd…wxyz',
    bsc_chain_id: '97',
    bsc_rpc_url: 'https://node.example/…',
  });
  storeSettings(
    { solana: { ...settings.solana, providerKey: null }, bsc: { ...settings.bsc, rpcUrl: null } },
    storage,
  );
  expect([...stored.keys()].toSorted()).toEqual(['bsc_chain_id', 'provider_network']);
});

test('a store that takes nothing is no reason to fail', () => {
  const storage = {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem: () => undefined,
  };
  expect(() => storeSettings(settings, storage)).not.toThrow();
});
