import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWriteQueue } from './write-queue.ts';
import { LeaseLostError } from './trade-leases.ts';

/** A database that keeps what each statement committed, and whose leases can be lost. */
function fakeDatabase() {
  const statements: string[][] = [];
  let failure: Error | undefined;
  const commit = createWriteQueue(async (rows: readonly string[]) => {
    if (failure) throw failure;
    if (rows.includes('foreign')) throw new LeaseLostError('foreign');
    statements.push([...rows]);
    return rows.includes('halted') ? 'halted' : 'committed';
  });
  return { commit, statements, fail: (error: Error | undefined) => (failure = error) };
}

test('what comes up in one turn is one statement, what comes later another', async () => {
  const { commit, statements } = fakeDatabase();
  expect(await Promise.all([commit(['a']), commit(['b', 'c'])])).toEqual(['committed', 'committed']);
  await commit(['d']);
  expect(statements).toEqual([['a', 'b', 'c'], ['d']]);
});

test('a trade whose lease is lost takes no other with it, and a bundle stays whole', async () => {
  const { commit, statements } = fakeDatabase();
  const settled = await Promise.allSettled([commit(['a']), commit(['b', 'foreign']), commit(['c'])]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a'], ['c']]);
});

test('a halt is everybody’s, and so is a database that is away', async () => {
  const { commit, fail } = fakeDatabase();
  expect(await Promise.all([commit(['a']), commit(['halted'])])).toEqual(['halted', 'halted']);
  fail(new Error('away'));
  const settled = await Promise.allSettled([commit(['a']), commit(['b'])]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fail(undefined);
  expect(await commit(['a'])).toBe('committed');
});

test('what comes up while two statements are under way is one statement after them', async () => {
  const statements: string[][] = [];
  const answers: (() => void)[] = [];
  const write = createWriteQueue(async (rows: readonly string[]) => {
    statements.push([...rows]);
    await new Promise<void>((resolve) => answers.push(resolve));
  });
  const written: Promise<void>[] = [];
  for (const row of ['a', 'b', 'c', 'd']) {
    written.push(write([row]));
    await nextTurn();
  }
  expect(statements).toEqual([['a'], ['b']]);
  answers[0]?.();
  await expect.poll(() => statements).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const answer of answers) answer();
  await Promise.all(written);
});
