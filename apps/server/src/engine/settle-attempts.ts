import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, type ErrorCode, type ErrorContext } from '@kervan/contract';
import type { ChainPort, LandedOutcome } from '@kervan/chains';
import type { AttemptRow, TradeRow } from '@kervan/database';
import { isTradeItself } from '@kervan/domain';
import { attemptRef, endTrade, type Drive, type Step } from './drive-context.ts';
import { readGasChoice } from './gas-choice.ts';
import { commitPrepared } from './make-attempt.ts';
import type { AttemptFate, TradeEnd } from './trade-endings.ts';

/** What the chain proved of a trade's live attempts: one of them landed, or none of them ever can. */
type Verdict =
  | { readonly kind: 'landed'; readonly attempt: AttemptRow; readonly outcome: LandedOutcome }
  | { readonly kind: 'dead' };

/**
 * Sends what is committed until the chain says what became of it, and writes that down. Answers with the ended
 * trade, or says that it goes on: after its approval, with a new attempt, or with a replacement.
 */
export async function settleAttempts(
  drive: Drive,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  live: readonly AttemptRow[],
): Promise<Step> {
  const port = drive.port(trade.chain, trade.network, trade.user_id);
  const newest = live.at(-1);
  if (!newest) throw new Error('there is nothing to settle without a live attempt');

  const isAllOwn = live.every((attempt) => drive.own.has(attempt.id));
  const known = isAllOwn ? undefined : await askAll(drive, port, trade, live);
  const verdict = known ?? (await sendAndWait(drive, port, trade, newest, live));
  if (verdict === 'stuck') {
    await replaceStuck(drive, port, trade, attempts, newest);
    return { kind: 'goes on' };
  }
  await drive.checkpoint('outcome known', trade.id);
  return await conclude(drive, trade, live, verdict);
}

/** Every live attempt's outcome, or undefined while one of them may still land. */
async function askAll(
  drive: Drive,
  port: ChainPort,
  trade: TradeRow,
  live: readonly AttemptRow[],
): Promise<Verdict | undefined> {
  const outcomes = await Promise.all(
    live.map((attempt) => port.outcome(attemptRef(trade, attempt), drive.signal)),
  );
  for (const [index, outcome] of outcomes.entries()) {
    const attempt = live[index];
    if (attempt && (outcome.kind === 'success' || outcome.kind === 'reverted'))
      return { kind: 'landed', attempt, outcome };
  }
  return outcomes.every((outcome) => outcome.kind === 'dead') ? { kind: 'dead' } : undefined;
}

async function sendAndWait(
  drive: Drive,
  port: ChainPort,
  trade: TradeRow,
  newest: AttemptRow,
  live: readonly AttemptRow[],
): Promise<Verdict | 'stuck'> {
  const landed = await send(drive, port, trade, newest);
  if (landed) return landed;
  const { signal, timing } = drive;
  const watching = new AbortController();
  const stop = AbortSignal.any([signal, watching.signal]);
  try {
    const watches = live.map((attempt) => port.watch(attemptRef(trade, attempt), stop));
    for (;;) {
      const first = await firstOf(watches, timing.rebroadcastMs, stop);
      signal.throwIfAborted();
      if (first && first.kind !== 'pending') {
        // One of several same-nonce attempts is decided: then all are, as soon as the node shows it.
        const verdict = await askAll(drive, port, trade, live).catch(ignoreUnreachable);
        if (verdict) return verdict;
        await delay(timing.retryMs, undefined, { signal });
      }
      if (drive.sentAt) await drive.store.markSent([trade.id], drive.sentAt);
      if (isStuck(drive, trade, newest)) return 'stuck';
      const landedLater = await send(drive, port, trade, newest);
      if (landedLater) return landedLater;
    }
  } finally {
    watching.abort();
  }
}

/** The first outcome, or undefined after `timeoutMs`. */
export async function firstOf<T>(
  watches: readonly Promise<T>[],
  timeoutMs: number,
  stop: AbortSignal,
): Promise<T | undefined> {
  const timer = new AbortController();
  const timeout = delay(timeoutMs, undefined, { signal: AbortSignal.any([stop, timer.signal]) });
  try {
    return await Promise.race([...watches, timeout.catch(() => undefined)]);
  } finally {
    timer.abort();
  }
}

/** Sends the bytes; a node's failure or refusal proves nothing, so it only means to go on watching. */
async function send(
  drive: Drive,
  port: ChainPort,
  trade: TradeRow,
  attempt: AttemptRow,
): Promise<Verdict | undefined> {
  const answer = await port
    .broadcast({ ...attemptRef(trade, attempt), bytes: attempt.bytes }, drive.signal)
    .catch(ignoreUnreachable);
  drive.signal.throwIfAborted();
  drive.sentAt ??= new Date();
  await drive.checkpoint('broadcast', trade.id);
  return answer?.kind === 'landed' ? { kind: 'landed', attempt, outcome: answer.outcome } : undefined;
}

export function ignoreUnreachable(error: unknown): undefined {
  if (error instanceof KervanError && error.code === 'NETWORK_UNREACHABLE') return undefined;
  throw error;
}

function ignoreGoneKey(error: unknown): undefined {
  if (error instanceof KervanError && error.code === 'PASTED_KEY_GONE') return undefined;
  throw error;
}

function isStuck(drive: Drive, trade: TradeRow, newest: AttemptRow): boolean {
  return trade.chain === 'bsc' && Date.now() - newest.created_at.getTime() > drive.timing.replaceAfterMs;
}

/** Puts a same-nonce transaction in a stuck one's place: only one of them can be mined. */
async function replaceStuck(
  drive: Drive,
  port: ChainPort,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  newest: AttemptRow,
): Promise<void> {
  const first = attempts.find((attempt) => attempt.nonce === newest.nonce) ?? newest;
  const gas = readGasChoice(trade.gas_choice);
  const isOver = Date.now() - first.created_at.getTime() > drive.timing.cancelAfterMs;
  const prepared = await port.prepareReplacement(
    {
      ...attemptRef(trade, newest),
      bytes: newest.bytes,
      purpose: newest.purpose,
      gasPriceUnits: newest.gas_price_units,
      ...(gas !== undefined && { gas }),
    },
    isOver && newest.purpose !== 'cancel' ? 'cancel' : 'bump',
    drive.signal,
  );
  const attempt =
    prepared &&
    (await commitPrepared(
      drive,
      port,
      trade,
      attempts,
      prepared,
      drive.readKey(trade),
      trade.simulated_at ?? new Date(),
    ).catch(ignoreGoneKey));
  // At the price cap, halted, or without its pasted key: nothing new is signed, and what is out is sent and watched on.
  if (!attempt || attempt === 'halted')
    await delay(drive.timing.retryMs, undefined, { signal: drive.signal });
}

async function conclude(
  drive: Drive,
  trade: TradeRow,
  live: readonly AttemptRow[],
  verdict: Verdict,
): Promise<Step> {
  if (verdict.kind === 'dead') {
    await drive.store.replan([trade.id], live.map(deadFate));
    return { kind: 'goes on' };
  }
  const { attempt, outcome } = verdict;
  const fates = live.map((each): AttemptFate =>
    each.id === attempt.id
      ? { attemptId: each.id, state: 'landed', settlement: outcome.settlement }
      : deadFate(each),
  );
  if (outcome.kind === 'success' && attempt.purpose === 'approval') {
    await drive.store.replan([trade.id], fates);
    return { kind: 'goes on' };
  }
  return await endTrade(drive, trade, fates, landedEnd(attempt, outcome));
}

/** How a trade ends whose attempt, no approval that succeeded, has landed. */
export function landedEnd(attempt: AttemptRow, outcome: LandedOutcome): TradeEnd {
  if (outcome.kind === 'reverted') return failed(attempt, outcome, outcome.failure);
  // A cancel that landed is the proof that the trade never will.
  if (!isTradeItself(attempt.purpose))
    return failed(attempt, outcome, { code: 'TRANSACTION_EXPIRED', context: {} });
  return { state: 'success', txId: attempt.tx_id, settlement: outcome.settlement, error: null };
}

function failed(
  attempt: AttemptRow,
  outcome: LandedOutcome,
  error: { code: ErrorCode; context: ErrorContext },
): TradeEnd {
  return { state: 'failed', txId: attempt.tx_id, settlement: outcome.settlement, error };
}

export function deadFate(attempt: AttemptRow): AttemptFate {
  return { attemptId: attempt.id, state: 'dead', settlement: null };
}
