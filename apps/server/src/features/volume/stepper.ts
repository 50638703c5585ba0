import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import type { Database, VolumeSessionRow } from '@kervan/database';
import type { Logger } from 'pino';
import type { Executor } from '../../engine/executor.ts';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import { waitingFor } from './after-trade.ts';
import { makeMoves, type Made } from './make-moves.ts';
import { nextMoves } from './next-moves.ts';
import type { StoredReason } from './reason.ts';
import { findDueSessions, findSessionWithWallets, lockSession, updateSession } from './repository.ts';
import { volumeUpdated } from './to-volume.ts';

interface Dependencies {
  readonly db: Database;
  readonly executor: Pick<Executor, 'planMany' | 'driveInBackground'>;
  readonly networks: Pick<Networks, 'port'>;
  readonly notifier: Notifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long after a turn the next one comes; tests don't wait for the session's interval. */
  readonly turnDelayMs?: ((intervalMs: number) => number) | undefined;
  /** Tests stop the stepper here, as a crash would. */
  readonly checkpoint?: ((at: StepCheckpoint, session: VolumeSessionRow) => void) | undefined;
}

/** decided: nothing is written yet. committed: trades are planned, and nobody drives them yet. */
export type StepCheckpoint = 'decided' | 'committed';

const POLL_MS = 500;

/**
 * Moves sessions on. The rows say where a session is; a step looks at them and at the chain, and then writes what it
 * decided in one transaction, together with the trades it asks for, unless the rows have moved meanwhile. So it does
 * not matter who makes a step, how often it is tried, or where it is cut off: there is nothing to remember in between.
 */
export function createVolumeStepper(deps: Dependencies) {
  const { db, executor, networks, notifier, clock, logger } = deps;
  const stopping = new AbortController();
  /** Sessions under way in this process, and whether each is to be looked at again. */
  const running = new Map<string, { isWanted: boolean; done: Promise<void> }>();
  let polling: Promise<void> | undefined;

  /** One look at the session and what follows from it. True if it moved, so that another look may move it on. */
  async function step(sessionId: string): Promise<boolean> {
    const seen = await findSessionWithWallets(db, sessionId);
    if (!seen || seen.session.state === 'ended') return false;
    const { session } = seen;
    const now = clock();
    const moves = await nextMoves(seen, {
      port: () => networks.port(session.chain, session.network, session.user_id),
      settings: () => readSettings(db, session.user_id),
      now,
    });
    deps.checkpoint?.('decided', session);
    if (moves.length === 0) return false;
    const made = await db
      .transaction()
      .execute((trx) => makeMoves(trx, seen, moves, { executor, now, turnDelayMs: deps.turnDelayMs }));
    deps.checkpoint?.('committed', session);
    tell(session, made);
    return made.hasMoved;
  }

  function tell(before: VolumeSessionRow, { session, trades, hasMoved }: Made): void {
    for (const { tradeId, trade } of trades) executor.driveInBackground(tradeId, trade);
    if (hasMoved || session.problem_code !== before.problem_code)
      notifier.emit(session.user_id, 'volume:updated', volumeUpdated(session));
  }

  /** The session could not be looked at, or not be moved: it says why, and is tried again later. */
  async function wait(sessionId: string, reason: StoredReason): Promise<void> {
    const told = await db.transaction().execute(async (trx) => {
      const session = await lockSession(trx, sessionId);
      if (session.state === 'ended') return undefined;
      const waiting = await updateSession(trx, session, waitingFor(reason, clock()));
      return session.problem_code === reason.code ? undefined : waiting;
    });
    if (told) notifier.emit(told.user_id, 'volume:updated', volumeUpdated(told));
  }

  async function run(sessionId: string): Promise<void> {
    try {
      while (!stopping.signal.aborted && (await step(sessionId)));
    } catch (error) {
      if (!(error instanceof KervanError))
        logger.error({ err: error, sessionId }, 'a volume session stumbled');
      const { code, context } = error instanceof KervanError ? error : new KervanError('INTERNAL');
      await wait(sessionId, { code, context }).catch((failure: unknown) =>
        logger.warn({ err: failure, sessionId }, 'a volume session could not be told to wait'),
      );
    }
  }

  /** Looks at the session now, or once more if it is being looked at. */
  function kick(sessionId: string): void {
    if (polling === undefined || stopping.signal.aborted) return;
    const current = running.get(sessionId);
    if (current) {
      current.isWanted = true;
      return;
    }
    const entry = { isWanted: false, done: Promise.resolve() };
    entry.done = run(sessionId).finally(() => {
      running.delete(sessionId);
      if (entry.isWanted) kick(sessionId);
    });
    running.set(sessionId, entry);
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const sessionId of await findDueSessions(db, clock())) kick(sessionId);
      } catch (error) {
        logger.warn({ err: error }, 'volume sessions could not be looked for');
      }
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  return {
    step,
    kick,
    start(): void {
      polling ??= poll();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await polling;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
