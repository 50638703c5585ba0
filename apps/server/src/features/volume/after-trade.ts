import { VOLUME_FAILURES_BEFORE_STOP } from '@kervan/contract';
import type { TradeRow, VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import { because, isPassing, reasonOf, type StoredReason } from './reason.ts';
import type { SessionChange, SessionWalletChange } from './repository.ts';

/** What the end of a trade changes in its session. */
export interface Aftermath {
  readonly wallet: SessionWalletChange;
  readonly session: SessionChange;
  /** Set if the session can't go on, and is to be drained. */
  readonly stopBecause?: StoredReason;
}

/** How long a session waits before it looks again whether what keeps it has passed. */
const LOOK_AGAIN_MS = 2_000;
/** The same where it takes another trade to see: each leaves a row. */
const TRIED_AGAIN_MS = 10_000;

/** `wallet` is the one that waited for the trade. */
export function afterTrade(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  trade: TradeRow,
  now: Date,
): Aftermath {
  const done = { ...accounted(wallet, trade), trade_id: null, trade_purpose: null, last_activity: now };
  if (trade.state === 'success') return afterSuccess(wallet, done);
  const reason = reasonOf(trade);
  if (isPassing(reason)) {
    // The next turn comes in its own time.
    const isTurn = wallet.trade_purpose === 'turn';
    return { wallet: done, session: isTurn ? problemOf(reason) : waitingFor(reason, now, TRIED_AGAIN_MS) };
  }
  switch (wallet.trade_purpose) {
    case 'funding':
      return {
        wallet: done,
        session: {},
        ...(session.state === 'funding' && { stopBecause: because('VOLUME_FUNDING_FAILED', reason) }),
      };
    case 'turn':
      return { wallet: done, ...afterFailedTurn(session, reason) };
    case 'drain':
    case null:
      return {
        wallet: { ...done, drain_tries: wallet.drain_tries + 1, ...problemOf(reason) },
        session: {},
      };
  }
}

/** The wallet's sums with the trade among them. A trade that failed on the chain has cost its fee. */
function accounted(wallet: VolumeWalletRow, trade: TradeRow): SessionWalletChange {
  const nativeUnits = trade.native_units ?? 0n;
  const tokenUnits = trade.token_units ?? 0n;
  const feeUnits = (trade.fee_units ?? 0n) + (trade.tip_units ?? 0n);
  if (wallet.trade_purpose === 'funding')
    return {
      funded_units: wallet.funded_units + nativeUnits,
      funding_fee_units: wallet.funding_fee_units + feeUnits,
    };
  const paid = {
    fee_units: wallet.fee_units + feeUnits,
    deposit_units: wallet.deposit_units + (trade.rent_units ?? 0n),
  };
  if (trade.kind === 'transfer')
    return {
      ...paid,
      recovered_units: wallet.recovered_units + nativeUnits,
      recovered_token_units: wallet.recovered_token_units + tokenUnits,
      held_token_units: wallet.held_token_units - tokenUnits,
    };
  const isBuy = trade.action === 'buy';
  return {
    ...paid,
    trades: wallet.trades + (trade.state === 'success' ? 1 : 0),
    bought_units: wallet.bought_units + (isBuy ? nativeUnits : 0n),
    sold_units: wallet.sold_units + (isBuy ? 0n : nativeUnits),
    held_token_units: wallet.held_token_units + (isBuy ? tokenUnits : -tokenUnits),
  };
}

function afterSuccess(wallet: VolumeWalletRow, done: SessionWalletChange): Aftermath {
  const noProblem = { problem_code: null, problem_context: null };
  switch (wallet.trade_purpose) {
    case 'funding':
      return {
        wallet: { ...done, ...(wallet.status === 'funding' && { status: 'trading' }) },
        session: noProblem,
      };
    case 'turn':
      return { wallet: done, session: { ...noProblem, failures_in_a_row: 0 } };
    case 'drain':
    case null:
      return {
        wallet: {
          ...done,
          ...(wallet.drain_stage === 'tokens'
            ? { drain_stage: 'native', drain_tries: 0 }
            : { drain_tries: wallet.drain_tries + 1 }),
          ...(wallet.drain_stage !== 'native' && noProblem),
        },
        session: noProblem,
      };
  }
}

/** A turn that traded nothing, whether its trade failed or there was nothing to trade with. */
export function afterFailedTurn(
  session: VolumeSessionRow,
  reason: StoredReason,
): Pick<Aftermath, 'session' | 'stopBecause'> {
  if (session.state !== 'trading') return { session: {} };
  const count = session.failures_in_a_row + 1;
  return {
    session: { ...problemOf(reason), failures_in_a_row: count },
    ...(count >= VOLUME_FAILURES_BEFORE_STOP && {
      stopBecause: because('VOLUME_TURNS_FAILED', reason, { count }),
    }),
  };
}

/** The session tries again in a while, and says what it waits for. */
export function waitingFor(reason: StoredReason, now: Date, pauseMs: number = LOOK_AGAIN_MS): SessionChange {
  return { ...problemOf(reason), next_at: new Date(now.getTime() + pauseMs) };
}

/** The columns in which a session or a wallet says what is wrong. */
function problemOf({ code, context }: StoredReason) {
  return { problem_code: code, problem_context: JSON.stringify(context) };
}
