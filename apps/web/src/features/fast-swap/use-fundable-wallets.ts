import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BALANCE_ADDRESSES_MAX, type Action, type Chain } from '@kervan/contract';
import type { Api } from '../../lib/api.ts';
import { useBscBalances } from '../../lib/bsc-balances.ts';
import { compareDecimals } from '../../lib/decimal.ts';
import { routeKey, useRouteQuery } from '../../lib/query.ts';
import { useServices } from '../../lib/services.ts';
import { useStoredWallets } from '../../lib/use-stored-wallets.ts';

/** A wallet that has something to trade with. */
export interface FundableWallet {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  /** In SOL or BNB for a buy, in tokens for a sell. */
  readonly balance: string;
}

export interface FundableWallets {
  /** Undefined while they are not known. */
  readonly wallets: readonly FundableWallet[] | undefined;
  /** Whether there is any wallet at all; undefined while that is not known. */
  readonly hasAny: boolean | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  readonly refetch: () => void;
}

/** What a wallet must hold more than, to be listed (spec §5). */
const MORE_THAN: Readonly<Record<Chain, Readonly<Record<Action, string>>>> = {
  solana: { buy: '0.000001', sell: '0' },
  bsc: { buy: '0.001', sell: '0' },
};

interface Wanted {
  readonly chain: Chain;
  readonly mode: Action;
  /** Empty while no valid one is chosen: then nothing can be sold. */
  readonly tokenAddress: string;
}

export function useFundableWallets({ chain, mode, tokenAddress }: Wanted): FundableWallets {
  const list = useStoredWallets(chain);
  const addresses = list.data?.map(({ address }) => address) ?? [];
  const asksCoins = mode === 'buy';
  const coins = {
    solana: useSolanaCoins(chain === 'solana' && asksCoins),
    bsc: useBscBalances(chain === 'bsc' && asksCoins ? addresses : []),
  };
  const tokens = useTokens({ chain, addresses, tokenAddress: asksCoins ? '' : tokenAddress });
  const balances = asksCoins ? coins[chain] : tokens;

  const limit = MORE_THAN[chain][mode];
  const cannotSell = !asksCoins && tokenAddress === '';
  const isEmpty = list.data?.length === 0;
  const known = isEmpty || cannotSell ? {} : balances.data;
  const wallets =
    list.data &&
    known &&
    list.data.flatMap((wallet) => {
      const balance = known[chain === 'bsc' ? wallet.address.toLowerCase() : wallet.address];
      return balance !== undefined && compareDecimals(balance, limit) > 0 ? [{ ...wallet, balance }] : [];
    });
  return {
    wallets,
    hasAny: list.data && !isEmpty,
    error: list.error ?? balances.error,
    isFetching: list.isFetching || balances.isFetching,
    refetch: () => {
      void list.refetch();
      if (!cannotSell) void balances.refetch();
    },
  };
}

function useSolanaCoins(enabled: boolean) {
  const query = useRouteQuery('walletBalances', {}, { enabled });
  const data =
    query.data &&
    Object.fromEntries(Object.entries(query.data).map(([address, { sol }]) => [address, sol] as const));
  return { ...query, data };
}

interface TokensOf {
  readonly chain: Chain;
  readonly addresses: readonly string[];
  readonly tokenAddress: string;
}

function useTokens({ chain, addresses, tokenAddress }: TokensOf) {
  const { api } = useServices();
  const solana = useRouteQuery(
    'walletTokenBalances',
    { query: { tokenAddress } },
    { enabled: chain === 'solana' && tokenAddress !== '' },
  );
  const bsc = useQuery({
    queryKey: routeKey('bscTokenBalances', { body: { addresses: [...addresses], tokenAddress } }),
    queryFn: ({ signal }) => readBscTokens(api, addresses, tokenAddress, signal),
    enabled: chain === 'bsc' && tokenAddress !== '' && addresses.length > 0,
    placeholderData: keepPreviousData,
  });
  return chain === 'solana' ? solana : bsc;
}

async function readBscTokens(
  api: Api,
  addresses: readonly string[],
  tokenAddress: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const calls = [];
  for (let start = 0; start < addresses.length; start += BALANCE_ADDRESSES_MAX) {
    const body = { addresses: addresses.slice(start, start + BALANCE_ADDRESSES_MAX), tokenAddress };
    calls.push(api.call('bscTokenBalances', { body }, { signal }));
  }
  return Object.assign({}, ...(await Promise.all(calls)));
}
