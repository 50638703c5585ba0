import { useDebouncedValue } from '@mantine/hooks';
import type { Chain, Token } from '@kervan/contract';
import { useRouteQuery } from './query.ts';

const DEBOUNCE_MS = 500;

export type TokenLookup =
  | { readonly state: 'none' | 'loading' }
  | { readonly state: 'valid' | 'invalid'; readonly token: Token }
  | { readonly state: 'failed'; readonly error: Error };

/** What the network says of an address, once it has stood in the field for half a second. */
export function useTokenLookup(chain: Chain, typed: string): TokenLookup {
  const address = typed.trim();
  const [settled] = useDebouncedValue(address, DEBOUNCE_MS);
  const { data, error } = useRouteQuery<'getToken' | 'getBscToken'>(
    chain === 'solana' ? 'getToken' : 'getBscToken',
    { params: chain === 'solana' ? { mint: settled } : { address: settled } },
    { enabled: settled !== '' },
  );
  if (address === '') return { state: 'none' };
  if (address !== settled) return { state: 'loading' };
  if (data) return { state: data.isValid ? 'valid' : 'invalid', token: data };
  return error ? { state: 'failed', error } : { state: 'loading' };
}
