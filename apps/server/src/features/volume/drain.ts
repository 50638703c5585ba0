import type { Queryable, VolumeSessionRow } from '@kervan/database';
import { drainWallets, updateSession, type SessionChange } from './repository.ts';
import type { StoredReason } from './reason.ts';

/**
 * From here on the session only gives back what it holds. What is under way goes on to its end first. `reason` is null
 * where a person stopped it. On a session that the caller's transaction has locked.
 */
export async function beginDraining(
  trx: Queryable,
  session: VolumeSessionRow,
  reason: StoredReason | null,
  now: Date,
): Promise<VolumeSessionRow> {
  return await drain(trx, session, now, {
    stopped_at: now,
    stop_code: reason?.code ?? null,
    stop_context: reason && JSON.stringify(reason.context),
  });
}

/** The same for a session that has ended; why and when it stopped stays as it was. */
export async function drainAgain(
  trx: Queryable,
  session: VolumeSessionRow,
  now: Date,
): Promise<VolumeSessionRow> {
  return await drain(trx, session, now, { ended_at: null });
}

async function drain(
  trx: Queryable,
  session: VolumeSessionRow,
  now: Date,
  change: SessionChange,
): Promise<VolumeSessionRow> {
  await drainWallets(trx, session.id);
  const noProblem = { problem_code: null, problem_context: null };
  return await updateSession(trx, session, { ...change, ...noProblem, state: 'draining', next_at: now });
}
