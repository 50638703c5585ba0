import { KervanError } from '@kervan/contract';
import type { PreparedTransaction, SwapRequest } from '../port.ts';
import type { BlockEngine } from './block-engine.ts';
import { askBundleQuotes } from './bundle-quotes.ts';
import { composeSwap } from './compose-swap.ts';
import { assertFunds } from './funds.ts';
import { valueOf, type PrepareSwapDeps } from './prepare-swap.ts';
import { readPurses } from './purse.ts';
import { readLatestBlockhash } from './simulate.ts';

export interface PrepareBundleDeps extends PrepareSwapDeps {
  readonly blockEngine: BlockEngine;
  readonly tipLamports: bigint;
}

/** Prepares swaps that land together (see `Bundles`): one blockhash for all, the tip in the last one. */
export async function prepareBundle(
  deps: PrepareBundleDeps,
  requests: readonly SwapRequest[],
  signal?: AbortSignal,
): Promise<readonly (PreparedTransaction | KervanError)[] | undefined> {
  const quotes = askBundleQuotes(deps.jupiter, requests, signal);
  const [network, asked, latest, read, quoted] = await Promise.all([
    settled(deps.network.recent(signal)),
    settled(deps.blockEngine.tipAccounts(signal)),
    settled(readLatestBlockhash(deps.rpc, signal)),
    settled(readPurses(deps, requests, signal)),
    Promise.allSettled(quotes),
  ]);
  signal?.throwIfAborted();
  valueOf(network);
  if (asked.status === 'rejected' && isUnreachable(asked.reason)) return undefined;
  const accounts = valueOf(asked);
  const lifetime = valueOf(latest);

  async function prepare(request: SwapRequest, index: number): Promise<PreparedTransaction> {
    const [purse, answered] = [valueOf(read)[index], quoted[index]];
    if (!purse || !answered) throw new Error('every leg has its purse and its quote');
    const lamports = index === requests.length - 1 ? deps.tipLamports : 0n;
    assertFunds(request, purse.holdings, purse.token, lamports);
    const parts = { request, purse, quote: valueOf(answered), lifetime, tip: { lamports, accounts } };
    return await composeSwap(deps, parts, signal);
  }

  return await Promise.all(
    requests.map((request, index) =>
      prepare(request, index).catch((error: unknown) => {
        if (error instanceof KervanError) return error;
        throw error;
      }),
    ),
  );
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([promise]);
  return result;
}

function isUnreachable(error: unknown): boolean {
  return error instanceof KervanError && error.code === 'NETWORK_UNREACHABLE';
}
