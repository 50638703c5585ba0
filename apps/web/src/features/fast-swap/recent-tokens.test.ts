import type { Token } from '@kervan/contract';
import { expect, test } from 'vitest';
import { readRecentTokens, rememberToken } from './recent-tokens.ts';

function fakeStorage(content: Record<string, string> = {}) {
  return {
    content,
    getItem: (key: string) => content[key] ?? null,
    setItem: (key: string, value: string) => {
      content[key] = value;
    },
  };
}

const token = (address: string) =>
  ({ address, symbol: `S${address}`, name: `Token ${address}`, decimals: 9, isValid: true }) as Token; // the fields that count here

test.each([
  ['solana', 10],
  ['bsc', 8],
] as const)('%s keeps its %i newest tokens, each once', (chain, size) => {
  const storage = fakeStorage();
  for (let index = 0; index < 12; index++)
    rememberToken(chain, token(String(index)), new Date(index), storage);
  rememberToken(chain, token('9'), new Date(99), storage);
  const addresses = readRecentTokens(chain, storage).map(({ address }) => address);
  expect(addresses).toHaveLength(size);
  expect(addresses.slice(0, 3)).toEqual(['9', '11', '10']);
});

test('each chain stores the fields that the specification names', () => {
  const storage = fakeStorage();
  rememberToken('solana', token('a'), new Date(5), storage);
  rememberToken('bsc', token('b'), new Date(5), storage);
  expect(JSON.parse(storage.content['fastswap_token_history'] ?? '')).toEqual([
    { address: 'a', name: 'Token a', symbol: 'Sa', image: null, decimals: 9, lastUsed: 5 },
  ]);
  expect(JSON.parse(storage.content['bsc_last_used_tokens_v1'] ?? '')).toEqual([
    { address: 'b', symbol: 'Sb', name: 'Token b' },
  ]);
});

test.each(['', '{', '{"a":1}', '[1,null,{"address":5}]'])('a store that holds %j counts as empty', (text) => {
  expect(readRecentTokens('solana', fakeStorage({ fastswap_token_history: text }))).toEqual([]);
});
