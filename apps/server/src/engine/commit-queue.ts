import { setImmediate as nextTurn } from 'node:timers/promises';

export type CommitOutcome = 'committed' | 'halted';

interface Group<T> {
  readonly rows: readonly T[];
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits what comes up in the same turn of the event loop by one statement, so that a hundred trades at once need not
 * wait for a hundred commits. `commit` writes all of its rows or none. Where that fails, every group is committed on its
 * own, one after the other: a trade never fails for another one's sake.
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
      if (groups.length === 1) groups[0]?.reject(error);
      else for (const { rows, resolve, reject } of groups) await commit(rows).then(resolve, reject);
    }
  }

  return (rows: readonly T[]): Promise<CommitOutcome> =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      if (waiting.length === 1) void commitNextTurn();
    });
}
