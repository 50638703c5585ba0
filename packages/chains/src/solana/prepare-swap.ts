import type { PreparedTransaction, SwapRequest } from '../port.ts';
import { composeSwap, type ComposeSwapDeps } from './compose-swap.ts';
import { assertFunds } from './funds.ts';
import type { NetworkCheck } from './network-check.ts';
import { readPurse } from './purse.ts';
import { askQuote } from './quote.ts';
import { readLatestBlockhash } from './simulate.ts';

export interface PrepareSwapDeps extends ComposeSwapDeps {
  readonly network: NetworkCheck;
}

/** Quotes, composes and simulates one swap. */
export async function prepareSwap(
  deps: PrepareSwapDeps,
  request: SwapRequest,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  // All at once; but a wallet that can't pay is told so, whatever the venue says of the amount.
  const [network, read, quoted, latest] = await Promise.allSettled([
    deps.network.recent(signal),
    readPurse(deps, request, signal),
    askQuote(deps.jupiter, request, signal),
    readLatestBlockhash(deps.rpc, signal),
  ]);
  valueOf(network);
  const purse = valueOf(read);
  assertFunds(request, purse.holdings, purse.token, 0n);
  const quote = valueOf(quoted);
  return await composeSwap(deps, { request, purse, quote, lifetime: valueOf(latest) }, signal);
}

export function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
