import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, type ErrorCode } from '@kervan/contract';
import type { ChainPort, PreparedTransaction, SwapRequest } from '@kervan/chains';
import type { AttemptRow, TradeRow } from '@kervan/database';
import { endTrade, type Drive, type SigningKey, type Step } from './drive-context.ts';
import type { TradeWithAttempts } from './trade-store.ts';

/** Codes that say that nothing could be tried, rather than that a trade went wrong: the trade is cancelled. */
const UNABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BALANCE_INSUFFICIENT',
  'TRADING_HALTED',
  'NETWORK_UNREACHABLE',
  'NETWORK_MISMATCH',
  'NETWORK_UNAVAILABLE',
  'VAULT_LOCKED',
  'TRANSACTION_EXPIRED',
]);

/** Attempts that expire unlanded before the trade is given up. */
const MAX_SWAP_ATTEMPTS = 5;

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
  const deadline = trade.planned_at.getTime() + drive.timing.planTimeoutMs;
  const swaps = attempts.filter((attempt) => attempt.purpose === 'swap').length;
  const approvals = attempts.filter(
    (attempt) => attempt.purpose === 'approval' && attempt.state === 'landed',
  ).length;
  let refusal = new KervanError('TRANSACTION_EXPIRED');
  if (swaps >= MAX_SWAP_ATTEMPTS) return await refuse(drive, trade, attempts, refusal);

  while (Date.now() < deadline) {
    drive.signal.throwIfAborted();
    const timeout = AbortSignal.any([drive.signal, AbortSignal.timeout(Math.max(1, deadline - Date.now()))]);
    try {
      const port = drive.port(trade.chain, trade.network);
      // Read while the chain is asked. Whatever goes wrong with it is met where it is used.
      const key = drive.readKey(trade);
      key.catch(() => {});
      if (trade.chain === 'bsc' && !drive.hasLane) {
        await drive.lanes.take(trade, timeout);
        drive.hasLane = true;
      }
      const ahead = await drive.prepared?.catch(() => undefined);
      drive.prepared = undefined;
      const prepared = ahead ?? (await port.prepareSwap(swapRequest(trade), timeout));
      await drive.checkpoint('prepared', trade.id);
      if (prepared.purpose === 'approval' && approvals >= MAX_APPROVALS)
        return await refuse(drive, trade, attempts, new KervanError('TRANSFER_FAILED'));
      const attempt = await commitPrepared(drive, port, trade, attempts, prepared, key, new Date());
      if (attempt !== 'halted') return { kind: 'goes on', known: withAttempt(trade, attempts, attempt) };
      refusal = new KervanError('TRADING_HALTED');
      break;
    } catch (error) {
      drive.signal.throwIfAborted();
      if (timeout.aborted) break;
      if (!(error instanceof KervanError)) throw error;
      refusal = error;
      // A node that is away may come back; what the chain refused it would refuse again.
      if (error.code !== 'NETWORK_UNREACHABLE') break;
      await delay(drive.timing.retryMs, undefined, { signal: drive.signal });
    }
  }
  return await refuse(drive, trade, attempts, refusal);
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
  const signed = await (await key).use((secret) => port.sign(prepared, secret));
  await drive.checkpoint('signed', trade.id);
  const attempt = await drive.store.commitAttempt(
    trade.id,
    attempts.length + 1,
    prepared,
    signed,
    simulatedAt,
  );
  if (attempt === 'halted') return attempt;
  drive.own.add(attempt.id);
  await drive.checkpoint('attempt committed', trade.id);
  return attempt;
}

/** How the trade stands once the attempt is committed. */
function withAttempt(
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  attempt: AttemptRow,
): TradeWithAttempts {
  return {
    trade: { ...trade, state: 'signed', signed_at: attempt.created_at },
    attempts: [...attempts, attempt],
  };
}

/** Nothing of the trade is alive and nothing more will be tried. */
async function refuse(
  drive: Drive,
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  error: KervanError,
): Promise<Step> {
  const lastSwap = attempts.findLast((attempt) => attempt.purpose === 'swap');
  return await endTrade(drive, trade, [], {
    // What was once sent and expired has failed; what never left was only called off.
    state: UNABLE.has(error.code) && lastSwap === undefined ? 'cancelled' : 'failed',
    txId: lastSwap?.tx_id ?? null,
    settlement: null,
    error: { code: error.code, context: error.context },
  });
}

export function swapRequest(trade: TradeRow): SwapRequest {
  return {
    owner: trade.wallet_address,
    action: trade.action,
    tokenAddress: trade.token_address,
    amountInUnits: trade.amount_in_units,
    slippageBps: trade.slippage_bps,
    ...(trade.dex_version && { dexVersion: trade.dex_version }),
  };
}
