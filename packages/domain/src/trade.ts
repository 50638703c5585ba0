import type { TradeStatus } from '@kervan/contract';

/**
 * What the executor is asked for, all with the same life. A transfer moves a wallet's own funds elsewhere: it is
 * signed, sent and accounted for as a swap is, and it is no trade to whoever looks at trades.
 */
export type TradeKind = 'swap' | 'transfer';

/**
 * The life of a trade (design 4):
 *
 *   planned ──> signed ──> success | failed
 *      └───────────┴─────> cancelled          (only while nothing can land)
 *
 * A trade is `signed` from the moment an attempt with its bytes is committed: from then on it may be on its
 * way, whether or not this process lived to hear of it. When it was sent is a time, not a state: nothing
 * may be decided differently for "signed" and "sent". It goes back to `planned` when its attempts are all
 * provably dead, or when its approval has landed.
 */
export const tradeStates = ['planned', 'signed', 'success', 'failed', 'cancelled'] as const;
export type TradeState = (typeof tradeStates)[number];

export const openStates = ['planned', 'signed'] as const satisfies readonly TradeState[];

export function isOpen(state: TradeState): boolean {
  return state === 'planned' || state === 'signed';
}

/** What the API calls the state (spec §4). */
export function tradeStatus(state: TradeState): TradeStatus {
  return state === 'planned' || state === 'signed' ? 'pending' : state;
}

/** What can become of one signed attempt. `live`: it may still land. */
export type AttemptState = 'live' | 'landed' | 'dead';

/**
 * swap, transfer: the trade itself. approval: lets a router take exactly this trade's tokens (EVM).
 * cancel: nothing to oneself with a stuck attempt's nonce, so that it can never land (EVM).
 */
export type AttemptPurpose = TradeKind | 'approval' | 'cancel';

/** Whether the attempt does what was asked for, rather than prepare or prevent it. */
export function isTradeItself(purpose: AttemptPurpose): purpose is TradeKind {
  return purpose === 'swap' || purpose === 'transfer';
}
