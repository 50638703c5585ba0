import type { TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import type { Drive, DriveDeps } from './drive-context.ts';
import { makeBundle } from './make-bundle.ts';
import { settleBundle } from './settle-bundle.ts';

/**
 * Drives trades that land together, from wherever they stand, until all have ended or those left are trades of their
 * own; answers those that ended together. As with one trade, each step acts only on what is committed. Their transactions are committed together and sent
 * as one bundle only: a leg that went out alone could land alone.
 */
export async function driveBundle(
  deps: DriveDeps,
  bundleId: string,
  signal: AbortSignal,
): Promise<TradeRow[]> {
  const drive: Drive = { ...deps, signal, own: new Set(), sentAt: null, hasLane: false, ahead: undefined };
  let known = await deps.store.loadBundle(bundleId);
  for (;;) {
    signal.throwIfAborted();
    const open = known.filter(({ trade }) => isOpen(trade.state));
    if (open.length === 0) return known.map(({ trade }) => trade);
    const isAlive = open.some(({ attempts }) => attempts.some(({ state }) => state === 'live'));
    const step = isAlive
      ? await settleBundle(drive, bundleId, known)
      : await makeBundle(drive, bundleId, open);
    if (step.kind === 'taken apart') return [];
    known = step.known ?? (await deps.store.loadBundle(bundleId));
  }
}
