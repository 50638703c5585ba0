import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, type ErrorCode } from '@kervan/contract';
import type { ChainPort, PreparedTransaction } from '@kervan/chains';
import type { AttemptRow, TradeRow } from '@kervan/database';
import { isTradeItself } from '@kervan/domain';
import { endTrade, type Drive, type SigningKey, type Step } from './drive-context.ts';
import { swapRequestOf } from './swap-request.ts';
import { requireTestNetwork } from './test-networks.ts';
import type { SignedAttempt, TradeWithAttempts } from './trade-store.ts';
import { transferTerms } from './transfer.ts';

/** Codes that say that nothing could be tried, rather than that a trade went wrong: the trade is cancelled. */
const UNABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BALANCE_INSUFFICIENT',
  'TRADING_HALTED',
  'NETWORK_UNREACHABLE',
  'NETWORK_MISMATCH',
  'NETWORK_UNAVAILABLE',
  'VAULT_LOCKED',
  'PASTED_KEY_GONE',
  'TRANSACTION_EXPIRED',
  'VOLUME_LIVE_NETWORK',
]);

/** Attempts that expire unlanded before the trade is given up. */
export const MAX_SWAP_ATTEMPTS = 5;

/** An approval may have to take back an old one first. A token whose approvals change nothing is not traded. */
const MAX_APPROVALS = 2;

/**
 * Prepares, simulates, signs and commits the trade's next attempt. Answers with the ended trade when none can be
 * made: the chain would refuse it, trading is halted, or the trade's time is over.
 */
export async function makeAttempt(
  drive: Drive,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
): Promise<Step> {
  const swaps = attempts.filter((attempt) => isTradeItself(attempt.purpose)).length;
  const approvals = attempts.filter(
    (attempt) => attempt.purpose === 'approval' && attempt.state === 'landed',
  ).length;
  if (swaps >= MAX_SWAP_ATTEMPTS)
    return await refuse(drive, trade, attempts, new KervanError('TRANSACTION_EXPIRED'));

  const made = await tryInTime(drive, trade, async (timeout) => {
    const port = drive.port(trade.chain, trade.network, trade.user_id);
    // Read while the chain is asked. Whatever goes wrong with it is met where it is used.
    const { ahead } = drive;
    drive.ahead = undefined;
    const key = ahead?.key ?? drive.readKey(trade);
    key.catch(() => {});
    // One that is gone does not come back, so nothing is waited for.
    if (trade.wallet_id === null) await key;
    if (trade.chain === 'bsc' && !drive.hasLane) {
      await drive.lanes.take(trade, timeout);
      drive.hasLane = true;
    }
    const preparedAhead = await ahead?.transaction.catch(() => undefined);
    const prepared = preparedAhead ?? (await prepare(port, trade, timeout));
    await drive.checkpoint('prepared', trade.id);
    if (prepared.purpose === 'approval' && approvals >= MAX_APPROVALS)
      return new KervanError('TRANSFER_FAILED');
    const attempt = await commitPrepared(drive, port, trade, attempts, prepared, key, new Date());
    return attempt === 'halted' ? new KervanError('TRADING_HALTED') : attempt;
  });
  if (made instanceof KervanError) return await refuse(drive, trade, attempts, made);
  return { kind: 'goes on', known: withAttempt({ trade, attempts }, made) };
}

/**
 * Makes an attempt, again while the node is away and as long as the trade has time. Answers with why there is none:
 * what `make` answers or throws, or TRANSACTION_EXPIRED.
 */
export async function tryInTime<T>(
  drive: Drive,
  trade: TradeRow,
  make: (timeout: AbortSignal) => Promise<T | KervanError>,
): Promise<T | KervanError> {
  const deadline = trade.planned_at.getTime() + drive.timing.planTimeoutMs;
  let refusal: KervanError | undefined;
  while (Date.now() < deadline) {
    drive.signal.throwIfAborted();
    const timeout = AbortSignal.any([drive.signal, AbortSignal.timeout(Math.max(1, deadline - Date.now()))]);
    try {
      return await make(timeout);
    } catch (error) {
      drive.signal.throwIfAborted();
      // Whatever else went wrong says nothing about what was committed: that is read again.
      if (!(error instanceof KervanError) && !isOf(timeout, error)) throw error;
      if (timeout.aborted || !(error instanceof KervanError)) break;
      // A node that is away may come back; what the chain refused it would refuse again.
      if (error.code !== 'NETWORK_UNREACHABLE') return error;
      refusal = error;
      await delay(drive.timing.retryMs, undefined, { signal: drive.signal });
    }
  }
  return refusal ?? new KervanError('TRANSACTION_EXPIRED');
}

/** Whether the error is a signal's, as it was thrown or as fetch words it. */
function isOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name));
}

/** Signs what was prepared and commits it; only then may its bytes be sent. */
export async function commitPrepared(
  drive: Drive,
  port: ChainPort,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  prepared: PreparedTransaction,
  key: Promise<SigningKey>,
  simulatedAt: Date,
): Promise<AttemptRow | 'halted'> {
  // Met where it is used, and not as a rejection that nobody hears while something else is waited for.
  key.catch(() => {});
  if (trade.source === 'volume') await requireTestNetwork(port, drive.signal);
  const signed = await (await key).use((secret) => port.sign(prepared, secret));
  const next = { tradeId: trade.id, number: attempts.length + 1, prepared, signed };
  const committed = await commitSigned(drive, trade.id, [next], simulatedAt);
  if (committed === 'halted') return committed;
  const [attempt] = committed;
  if (!attempt) throw new Error('what is committed is answered');
  return attempt;
}

/** Commits what was signed, all or nothing. */
export async function commitSigned(
  drive: Drive,
  id: string,
  signed: readonly SignedAttempt[],
  simulatedAt: Date,
): Promise<AttemptRow[] | 'halted'> {
  await drive.checkpoint('signed', id);
  const attempts = await drive.store.commitAttempts(signed, simulatedAt);
  if (attempts === 'halted') return attempts;
  for (const attempt of attempts) drive.own.add(attempt.id);
  await drive.checkpoint('attempt committed', id);
  return attempts;
}

/** How the trade stands once the attempt is committed. */
export function withAttempt({ trade, attempts }: TradeWithAttempts, attempt: AttemptRow): TradeWithAttempts {
  return {
    trade: { ...trade, state: 'signed', signed_at: attempt.created_at },
    attempts: [...attempts, attempt],
  };
}

/** Nothing of the trade is alive and nothing more will be tried. */
export async function refuse(
  drive: Drive,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  error: KervanError,
): Promise<Step> {
  const lastSwap = attempts.findLast((attempt) => isTradeItself(attempt.purpose));
  return await endTrade(drive, trade, [], {
    // What was once sent and expired has failed; what never left was only called off.
    state: UNABLE.has(error.code) && lastSwap === undefined ? 'cancelled' : 'failed',
    txId: lastSwap?.tx_id ?? null,
    settlement: null,
    error: { code: error.code, context: error.context },
  });
}

function prepare(port: ChainPort, trade: TradeRow, signal: AbortSignal): Promise<PreparedTransaction> {
  const transfer = transferTerms(trade);
  if (transfer) return port.prepareTransfer({ owner: trade.wallet_address, ...transfer }, signal);
  return port.prepareSwap(swapRequestOf(trade), signal);
}
