import { expect, it } from 'vitest';
import { createReadBatches } from './read-batches.ts';
import type { RpcAnswer, RpcCall } from './rpc-client.ts';

const url = new URL('http://node/');
const call = (name: string): RpcCall => ({ method: name, params: [] });

/** A node that echoes the method of each call, and keeps what came in one request. */
function echo() {
  const requests: string[][] = [];
  const ask = createReadBatches((_, calls) => {
    requests.push(calls.map(({ method }) => method));
    const answers = calls.map(({ method }): RpcAnswer => ({ ok: true, result: method }));
    return calls.some(({ method }) => method === 'fails')
      ? Promise.reject(new Error('429'))
      : Promise.resolve(answers);
  });
  const results = async (...names: string[]) =>
    (await ask(url, names.map(call))).map((answer) => answer.ok && answer.result);
  return { ask, results, requests };
}

it('sends what comes up in one turn in one request, and gives everybody their own answers', async () => {
  const { results, requests } = echo();
  expect(await Promise.all([results('a', 'b'), results('c'), results('d', 'e')])).toEqual([
    ['a', 'b'],
    ['c'],
    ['d', 'e'],
  ]);
  expect(requests).toEqual([['a', 'b', 'c', 'd', 'e']]);
  expect(await results('f')).toEqual(['f']);
  expect(requests).toHaveLength(2);
});

it('asks no node for more than it may take at once, and tears no question apart', async () => {
  const { results, requests } = echo();
  await Promise.all(Array.from({ length: 40 }, (_, index) => results(`${index}`, 'b', 'c')));
  expect(requests.map((each) => each.length)).toEqual([48, 48, 24]);
});

it('fails for all that asked together, who ask again for themselves', async () => {
  const { results } = echo();
  const settled = await Promise.allSettled([results('a'), results('fails')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await results('a')).toEqual(['a']);
});

it('waits no longer for one that gave up, and goes on for the others', async () => {
  const { ask, results } = echo();
  const giving = new AbortController();
  const given = ask(url, [call('a')], giving.signal);
  const other = results('b');
  giving.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  expect(await other).toEqual(['b']);
  await expect(ask(url, [call('c')], giving.signal)).rejects.toThrow('enough');
});
