import type { Schema, VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import { isDust } from '@kervan/domain';
import type { Transaction } from 'kysely';
import type { Executor } from '../../engine/executor.ts';
import type { PlannedTrade } from '../../engine/plan-trades.ts';
import { afterFailedTurn, waitingFor } from './after-trade.ts';
import { beginDraining } from './drain.ts';
import type { Move } from './next-moves.ts';
import { because, isPassing, type StoredReason } from './reason.ts';
import {
  forgetWallet,
  lockSession,
  updateSession,
  updateWallet,
  walletsOf,
  type SessionChange,
  type SessionWalletChange,
  type SessionWithWallets,
} from './repository.ts';

interface Means {
  readonly executor: Pick<Executor, 'planMany'>;
  readonly now: Date;
  readonly turnDelayMs: ((intervalMs: number) => number) | undefined;
}

export interface Made {
  /** As it is now. */
  readonly session: VolumeSessionRow;
  /** To be driven once this is committed. */
  readonly trades: readonly PlannedTrade[];
  /** Whether anything came of it: false if the rows had moved meanwhile, or the session waits. */
  readonly hasMoved: boolean;
}

type TradeMove = Extract<Move, { kind: 'trade' }>;
type WalletOver = Extract<Move, { kind: 'wallet over' }>;

/** Writes moves down, with the trades that they ask for, as far as the rows are still those that were seen. */
export async function makeMoves(
  trx: Transaction<Schema>,
  seen: SessionWithWallets,
  moves: readonly Move[],
  means: Means,
): Promise<Made> {
  const session = await lockSession(trx, seen.session.id);
  const wallets = await walletsOf(trx, [session.id]);
  if (session.state !== seen.session.state || session.turn !== seen.session.turn)
    return { session, trades: [], hasMoved: false };
  const current = moves.filter((move) => isCurrent(move, wallets));

  const trades = current.filter((move) => move.kind === 'trade');
  const others = current.filter((move) => move.kind !== 'trade');

  let now = session;
  for (const move of others) now = await makeMove(trx, now, move, means);
  const made = await makeTrades(trx, now, trades, means);
  return { ...made, hasMoved: made.hasMoved || others.length > 0 };
}

function isCurrent(move: Move, wallets: readonly VolumeWalletRow[]): boolean {
  if (move.kind === 'turn skipped') return true;
  if (move.kind === 'all funded') return wallets.every(({ status }) => status !== 'funding');
  if (move.kind === 'all over') return wallets.every(({ status }) => status !== 'draining');
  const { wallet_id, step, status } = move.wallet;
  const wallet = wallets.find((each) => each.wallet_id === wallet_id);
  return wallet?.trade_id === null && wallet.step === step && wallet.status === status;
}

async function makeMove(
  trx: Transaction<Schema>,
  session: VolumeSessionRow,
  move: Exclude<Move, TradeMove>,
  means: Means,
): Promise<VolumeSessionRow> {
  switch (move.kind) {
    case 'all funded':
      return await updateSession(trx, session, { state: 'trading', next_at: means.now });
    case 'turn skipped':
      return await skipTurn(trx, session, move.reason, means);
    case 'wallet over':
      await updateWallet(trx, move.wallet.wallet_id, walletOver(session, move));
      return session;
    case 'wallet lags':
      await updateWallet(trx, move.wallet.wallet_id, { lags_since: means.now });
      return session;
    case 'all over':
      if (session.is_master_pasted) await forgetWallet(trx, session.master_wallet_id);
      return await updateSession(trx, session, {
        state: 'ended',
        ended_at: means.now,
        problem_code: null,
        problem_context: null,
      });
  }
}

/** Empty, but for what can't pay for its own way; or given up, with something in it and the reason. */
function walletOver(
  { chain }: VolumeSessionRow,
  { wallet, nativeUnits, tokenUnits }: WalletOver,
): SessionWalletChange {
  const hasMore = nativeUnits > 0n && !isDust(chain, nativeUnits, wallet.funding_fee_units);
  const isStranded = tokenUnits > 0n || wallet.deposit_units > 0n || hasMore;
  return {
    left_native_units: nativeUnits,
    left_token_units: tokenUnits,
    ...(isStranded
      ? { status: 'stranded', problem_code: wallet.problem_code ?? 'TRANSFER_FAILED' }
      : { status: 'drained', problem_code: null, problem_context: null }),
  };
}

async function skipTurn(
  trx: Transaction<Schema>,
  session: VolumeSessionRow,
  reason: StoredReason | null,
  means: Means,
): Promise<VolumeSessionRow> {
  const after = reason ? afterFailedTurn(session, reason) : { session: {} };
  const skipped = await updateSession(trx, session, { ...after.session, ...nextTurn(session, means) });
  return after.stopBecause ? await beginDraining(trx, skipped, after.stopBecause, means.now) : skipped;
}

function nextTurn(session: VolumeSessionRow, { now, turnDelayMs }: Means): SessionChange {
  const delayMs = turnDelayMs?.(session.trading_interval_ms) ?? session.trading_interval_ms;
  // Counted from now, not from when the turn was due: after a standstill nobody trades in bursts.
  return { turn: session.turn + 1, next_at: new Date(now.getTime() + delayMs) };
}

async function makeTrades(
  trx: Transaction<Schema>,
  session: VolumeSessionRow,
  moves: readonly TradeMove[],
  means: Means,
): Promise<Made> {
  const results = await means.executor.planMany(
    trx,
    moves.map(({ intent }) => intent),
  );
  const trades: PlannedTrade[] = [];
  let now = session;
  for (const [index, move] of moves.entries()) {
    const result = results[index];
    if (!result) throw new Error('every intent that is planned has a result');
    if ('refusal' in result) {
      now = await refuse(trx, now, move, result.refusal, means);
      continue;
    }
    trades.push(result);
    await updateWallet(trx, move.wallet.wallet_id, {
      trade_id: result.tradeId,
      trade_purpose: move.purpose,
      step: move.wallet.step + 1,
      lags_since: null,
      ...inStage(move),
    });
    if (move.purpose === 'turn') now = await updateSession(trx, now, nextTurn(now, means));
  }
  return { session: now, trades, hasMoved: trades.length > 0 };
}

/** Nothing was planned: what passes is waited for, and anything else ends the turn or the session. */
async function refuse(
  trx: Transaction<Schema>,
  session: VolumeSessionRow,
  move: TradeMove,
  reason: StoredReason,
  means: Means,
): Promise<VolumeSessionRow> {
  // A wallet that is being drained has no other way out than through the same transfer.
  if (isPassing(reason) || move.purpose === 'drain')
    return await updateSession(trx, session, waitingFor(reason, means.now));
  if (move.purpose === 'turn') return await skipTurn(trx, session, reason, means);
  return await beginDraining(trx, session, because('VOLUME_FUNDING_FAILED', reason), means.now);
}

function inStage({ wallet, stage }: TradeMove) {
  return stage === wallet.drain_stage ? {} : { drain_stage: stage, drain_tries: 0 };
}
