import type { TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import type { Drive, DriveDeps, PreparedAhead, Step } from './drive-context.ts';
import { makeAttempt } from './make-attempt.ts';
import type { NewTrade } from './plan-trades.ts';
import { settleAttempts } from './settle-attempts.ts';
import type { TradeWithAttempts } from './trade-store.ts';

/**
 * Drives one trade from wherever it stands to its end: the one place where trades are signed and sent. Each step
 * acts only on what is committed, so a driver that dies at any instant can be followed by another, here or in
 * another process, that begins with the same call.
 *
 * @param planned the trade as this process has just planned it, which saves reading it
 * @param ahead its first attempt, where this was begun while the trade was planned
 */
export async function driveTrade(
  deps: DriveDeps,
  tradeId: string,
  planned: NewTrade | undefined,
  ahead: PreparedAhead | undefined,
  signal: AbortSignal,
): Promise<TradeRow> {
  const hasLane = planned?.has_lane === true;
  const drive: Drive = { ...deps, signal, ahead, own: new Set(), sentAt: null, hasLane };
  let known: TradeWithAttempts | undefined = planned && { trade: planned, attempts: [] };
  for (;;) {
    signal.throwIfAborted();
    const { trade, attempts } = known ?? (await deps.store.load(tradeId));
    if (!isOpen(trade.state)) return trade;
    // Asked early, so that it is known when the trade ends.
    void deps.nativePrice(trade.chain, trade.network);
    if (trade.bundle_id !== null) {
      const ended = await deps.driveBundle(trade.bundle_id);
      const own = ended.find(({ id }) => id === tradeId);
      if (own) return own;
      known = undefined;
      continue;
    }
    const live = attempts.filter((attempt) => attempt.state === 'live');
    const step: Step =
      live.length === 0
        ? await makeAttempt(drive, trade, attempts)
        : await settleAttempts(drive, trade, attempts, live);
    if (step.kind === 'ended') return step.trade;
    known = step.known;
  }
}
