import type { TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import type { Drive, DriveDeps } from './drive-context.ts';
import { makeAttempt } from './make-attempt.ts';
import { settleAttempts } from './settle-attempts.ts';

/**
 * Drives one trade from wherever it stands to its end: the one place where trades are signed and sent. Each step
 * acts only on what is committed, so a driver that dies at any instant can be followed by another, here or in
 * another process, that begins with the same call.
 */
export async function driveTrade(deps: DriveDeps, tradeId: string, signal: AbortSignal): Promise<TradeRow> {
  const drive: Drive = { ...deps, signal, own: new Set(), sentAt: null };
  for (;;) {
    signal.throwIfAborted();
    const { trade, attempts } = await deps.store.load(tradeId);
    if (!isOpen(trade.state)) return trade;
    const live = attempts.filter((attempt) => attempt.state === 'live');
    const ended =
      live.length === 0
        ? await makeAttempt(drive, trade, attempts)
        : await settleAttempts(drive, trade, attempts, live);
    if (ended) return ended;
  }
}
