import type { Chain, Network } from '@kervan/contract';
import { useRouteQuery } from '../../lib/query.ts';

interface BalanceOf {
  readonly chain: Chain;
  readonly address: string | undefined;
  readonly tokenAddress: string | null;
  readonly network: Network;
  /** False asks nothing. */
  readonly isWanted: boolean;
}

/** How much of a token is in a wallet on a network; undefined while it is not known. */
export function useTokenBalance({ chain, address = '', tokenAddress, network, isWanted }: BalanceOf) {
  const token = tokenAddress ?? '';
  const canAsk = isWanted && address !== '' && token !== '';
  const isSolana = chain === 'solana';
  const solana = useRouteQuery(
    'walletTokenBalances',
    { query: { tokenAddress: token, network } },
    { enabled: canAsk && isSolana },
  );
  const bsc = useRouteQuery(
    'bscTokenBalances',
    { body: { addresses: [address], tokenAddress: token, network } },
    { enabled: canAsk && !isSolana },
  );
  const query = isSolana ? solana : bsc;
  const key = isSolana ? address : address.toLowerCase();

  /** Asks again; undefined when it could not be asked. */
  async function refresh(): Promise<string | undefined> {
    if (!canAsk) return undefined;
    const { data } = await query.refetch();
    return data?.[key];
  }

  return { balance: canAsk ? query.data?.[key] : undefined, refresh };
}
