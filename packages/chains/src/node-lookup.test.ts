import { expect, it } from 'vitest';
import { lookupNode } from './node-lookup.ts';

const look = (hostname: string, all: boolean) =>
  new Promise((resolve, reject) => {
    lookupNode(hostname, { all, family: 4 }, (error, found) => (error ? reject(error) : resolve(found)));
  });

// The system reads these numbers as addresses, without asking anybody.
it.each(['0xa9fea9fe', '2852039166', '169.254.43518'])('%s leads to a link-local address', async (name) => {
  for (const all of [true, false])
    await expect(look(name, all)).rejects.toThrow('The node’s name leads to a link-local address');
});

it('finds other names as usual', async () => {
  expect(await look('localhost', false)).toBe('127.0.0.1');
  expect(await look('localhost', true)).toContainEqual({ address: '127.0.0.1', family: 4 });
});
