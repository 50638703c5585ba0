import type { Action } from '@kervan/contract';
import type { Address } from 'viem';
import type { CallResult } from './multicall.ts';
import type { ContractCall } from './rpc-calls.ts';

/** A trade between BNB and one token; amounts in base units of what goes in. */
export interface Trade {
  readonly action: Action;
  readonly token: Address;
  readonly amountIn: bigint;
}

/** What a venue offers for a trade; `feeTier` is V3's pool, in hundredths of a basis point. */
export interface Offer {
  readonly amountOut: bigint;
  readonly feeTier: number;
}

export interface SwapOrder extends Trade {
  readonly feeTier: number;
  readonly minimumOut: bigint;
  readonly recipient: Address;
  /** Unix time in seconds after which the router refuses. */
  readonly deadline: bigint;
  /** Leaves in the router what a buy does not need, for a caller that can't be paid: dry runs. */
  readonly leavesChange?: boolean;
}

/** A deadline for calls that are only run, never sent. */
export const noDeadline = 2n ** 48n;

/** One version of PancakeSwap. Pure: it says what to call and reads what came back. */
export interface Venue {
  readonly router: Address;
  /** Whether the order's call is the same whatever the offer says, so that both can be asked at once. */
  readonly hasOneRoute: boolean;
  /** What a router holds a buy's minimum against: the pool's output, or what arrives of it after a transfer tax. */
  readonly minimumIsOf: 'output' | 'arrival';
  /** The calls that price a trade, to be asked together. */
  priceCalls(trade: Trade): ContractCall[];
  /** What their answers offer: one offer a pool that trades the whole amount. */
  offers(results: readonly CallResult[]): Offer[];
  /** The call that makes the swap: BNB in for a buy, BNB out to the recipient for a sell. */
  swapCall(order: SwapOrder): ContractCall;
}

/** The offer that pays most; undefined when there is none. */
export function bestOffer(offers: readonly Offer[]): Offer | undefined {
  return offers.reduce<Offer | undefined>(
    (best, offer) => (offer.amountOut > (best?.amountOut ?? 0n) ? offer : best),
    undefined,
  );
}
