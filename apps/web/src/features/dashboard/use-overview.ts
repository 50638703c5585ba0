import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BscBot, BscWallet, Chain, SolanaBot, SolanaWallet } from '@kervan/contract';
import { useBscBalances } from '../../lib/bsc-balances.ts';
import { sumDecimals } from '../../lib/decimal.ts';
import { routeKey, useRouteQuery } from '../../lib/query.ts';

export interface WalletSummary {
  id: string;
  chain: Chain;
  name: string;
  createdAt: string;
  /** In SOL or BNB; undefined while it is not known. */
  balance: string | undefined;
}

export interface BotSummary {
  id: string;
  chain: Chain;
  name: string;
  action: SolanaBot['action'];
  isActive: boolean;
}

type PerChain<T> = Record<Chain, T>;

/** What the dashboard tells, of both chains together. */
export function useOverview() {
  const queryClient = useQueryClient();
  const solanaWallets = useRouteQuery('listWallets', {});
  const bscWallets = useRouteQuery('listBscWallets', {});
  const solanaBots = useRouteQuery('listBots', {});
  const bscBots = useRouteQuery('listBscBots', {});
  const solanaBalances = useRouteQuery('walletBalances', {});
  const bscBalances = useBscBalances(bscWallets.data?.map((wallet) => wallet.address) ?? []);

  const wallets = useMemo(
    () =>
      both(solanaWallets.data, bscWallets.data, (solana, bsc) =>
        [
          ...solana.map((wallet) => solanaWallet(wallet, solanaBalances.data)),
          ...bsc.map((wallet) => bscWallet(wallet, bscBalances.data)),
        ].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
      ),
    [solanaWallets.data, bscWallets.data, solanaBalances.data, bscBalances.data],
  );
  const bots = useMemo(
    () =>
      both(solanaBots.data, bscBots.data, (solana, bsc) => [
        ...solana.map((bot) => botSummary(bot, 'solana')),
        ...bsc.map((bot) => botSummary(bot, 'bsc')),
      ]),
    [solanaBots.data, bscBots.data],
  );

  const queries = [solanaWallets, bscWallets, solanaBots, bscBots, solanaBalances, bscBalances];
  const refresh = async (): Promise<void> => {
    const routes = [
      'listWallets',
      'listBscWallets',
      'listBots',
      'listBscBots',
      'walletBalances',
      'bscBalances',
    ] as const;
    await Promise.all(routes.map((route) => queryClient.invalidateQueries({ queryKey: routeKey(route) })));
  };
  return {
    wallets,
    bots,
    balance: {
      solana: solanaBalances.data && sumDecimals(Object.values(solanaBalances.data).map(({ sol }) => sol)),
      bsc:
        bscWallets.data?.length === 0
          ? '0'
          : bscBalances.data && sumDecimals(Object.values(bscBalances.data)),
    } satisfies PerChain<string | undefined>,
    error: queries.find((query) => query.error !== null)?.error ?? null,
    isRefreshing: queries.some((query) => query.isFetching),
    refresh,
  };
}

function both<A, B, T>(a: A | undefined, b: B | undefined, join: (a: A, b: B) => T): T | undefined {
  return a === undefined || b === undefined ? undefined : join(a, b);
}

function solanaWallet(
  { id, name, public_key, created_at }: SolanaWallet,
  balances: Readonly<Record<string, { sol: string }>> | undefined,
): WalletSummary {
  return { id, chain: 'solana', name, createdAt: created_at, balance: balances?.[public_key]?.sol };
}

function bscWallet(
  { id, name, address, created_at }: BscWallet,
  balances: Readonly<Record<string, string>> | undefined,
): WalletSummary {
  return { id, chain: 'bsc', name, createdAt: created_at, balance: balances?.[address.toLowerCase()] };
}

function botSummary({ id, name, action, is_active }: SolanaBot | BscBot, chain: Chain): BotSummary {
  return { id, chain, name, action, isActive: is_active };
}
