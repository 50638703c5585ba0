interface Group<Row, Result> {
  readonly rows: readonly Row[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Statements under way at a time: one that waits for a lock must not keep everything else waiting. */
const AT_ONCE = 2;

/**
 * Writes by one statement what comes up at the same moment, or while earlier statements are under way: a hundred trades
 * at once need not wait for a hundred commits. `write` writes all of its rows or none, and its result goes to every
 * group. Where it fails, every group is written on its own, one after the other: a trade never fails for another one's
 * sake.
 */
export function createWriteQueue<Row, Result>(write: (rows: readonly Row[]) => Promise<Result>) {
  let waiting: Group<Row, Result>[] = [];
  let writers = 0;

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await everythingDue();
      const groups = waiting;
      waiting = [];
      await writeTogether(groups);
    }
    writers -= 1;
  }

  async function writeTogether(groups: readonly Group<Row, Result>[]): Promise<void> {
    const [first, ...others] = groups;
    if (!first) return;
    try {
      const result = await write(groups.flatMap(({ rows }) => rows));
      for (const { resolve } of groups) resolve(result);
    } catch (error) {
      if (others.length === 0) first.reject(error);
      else for (const { rows, resolve, reject } of groups) await write(rows).then(resolve, reject);
    }
  }

  return (rows: readonly Row[]): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ rows, resolve, reject });
      // Of several in one turn, the first one's writer takes all.
      if (waiting.length > 1 || writers === AT_ONCE) return;
      writers += 1;
      void writeWaiting();
    });
}

/** Until all promises that are settled by now have been heard of. */
function everythingDue(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
