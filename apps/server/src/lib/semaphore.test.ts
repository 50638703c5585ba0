import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('no more than the limit run at a time, in order, failures included', async () => {
  const run = createSemaphore(2);
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const begun: number[] = [];
  const results = Promise.allSettled(
    gates.map((gate, index) =>
      run(() => {
        begun.push(index);
        return gate.promise;
      }),
    ),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('failed'));
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve(1);
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
