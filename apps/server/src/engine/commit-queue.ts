import { setImmediate as nextTurn } from 'node:timers/promises';
import { LeaseLostError } from './trade-leases.ts';

export type CommitOutcome = 'committed' | 'halted';

interface Group<T> {
  readonly rows: readonly T[];
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits what comes up in the same turn of the event loop by one statement, so that a hundred trades at once need not
 * wait for a hundred commits. `commit` writes all of its rows or none. Where one group's lease is lost, every group is
 * committed on its own: a trade never fails for another one's sake.
 */
export function createCommitQueue<T>(commit: (rows: readonly T[]) => Promise<CommitOutcome>) {
  let waiting: Group<T>[] = [];

  async function commitNextTurn(): Promise<void> {
    await nextTurn();
    const groups = waiting;
    waiting = [];
    try {
      const outcome = await commit(groups.flatMap(({ rows }) => rows));
      for (const { resolve } of groups) resolve(outcome);
    } catch (error) {
      if (error instanceof LeaseLostError && groups.length > 1)
        await Promise.all(groups.map(({ rows, resolve, reject }) => commit(rows).then(resolve, reject)));
      else for (const { reject } of groups) reject(error);
    }
  }

  return (rows: readonly T[]): Promise<CommitOutcome> =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      if (waiting.length === 1) void commitNextTurn();
    });
}
