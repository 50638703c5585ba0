import type { QueryClient } from '@tanstack/react-query';
import type { BscBot, Chain, RouteName, SolanaBot } from '@kervan/contract';
import type { Account } from './account.ts';
import { createLive, type Live } from './live.ts';
import { withBotStatus, withTrade } from './live-cache.ts';
import { createQueryClient, routeKey } from './query.ts';
import type { Services } from './services.ts';

/** Trades change balances; however many there are, balances are asked for this often at most. */
const BALANCES_MS = 5_000;

/** Everything a signed-in page lives on, wired. One account's are never used for another. */
export function createServices({ session, api }: Account): Services {
  const queryClient = createQueryClient();
  const live = createLive({
    session,
    onReconnected: () => void queryClient.invalidateQueries(),
    now: Date.now,
  });
  patchCache(live, queryClient);
  return { session, api, live, queryClient };
}

/** Server state follows the socket where an event says all of it. */
function patchCache(live: Live, queryClient: QueryClient): void {
  const refresh = (route: RouteName) => () =>
    void queryClient.invalidateQueries({ queryKey: routeKey(route) });
  const refreshBalances: Record<Chain, () => void> = {
    solana: atMostEvery(BALANCES_MS, refresh('walletBalances')),
    bsc: atMostEvery(BALANCES_MS, refresh('bscBalances')),
  };
  live.on('bot:status', (event) => {
    updateBots(queryClient, event.chain, (bots) => withBotStatus(bots, event, new Date()));
  });
  live.on('trade:executed', (event) => {
    updateBots(queryClient, event.chain, (bots) => withTrade(bots, event, new Date()));
    refreshBalances[event.chain]();
  });
  live.on('halt:updated', (event) => queryClient.setQueryData(routeKey('getHalt', {}), event));
}

function updateBots(
  queryClient: QueryClient,
  chain: Chain,
  change: <B extends SolanaBot | BscBot>(bots: readonly B[]) => B[],
): void {
  if (chain === 'solana') {
    queryClient.setQueryData<SolanaBot[]>(routeKey('listBots', {}), (bots) => bots && change(bots));
  } else {
    queryClient.setQueryData<BscBot[]>(routeKey('listBscBots', {}), (bots) => bots && change(bots));
  }
}

/** Runs a task soon after the first of many calls, and again after the last, but never more often. */
function atMostEvery(ms: number, task: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ranAt = 0;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        ranAt = Date.now();
        task();
      },
      Math.max(0, ranAt + ms - Date.now()),
    );
  };
}
