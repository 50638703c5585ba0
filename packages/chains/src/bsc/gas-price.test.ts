import { expect, it } from 'vitest';
import { createGasPriceSource, tierPrice } from './gas-price.ts';
import type { RpcClient } from './rpc-client.ts';

const bounds = { floorWei: 100n, capWei: 1_000n };

it('keeps the price within floor and cap', () => {
  expect(tierPrice(bounds, 0n)).toBe(100n);
  expect(tierPrice(bounds, 10_000n)).toBe(1_000n);
  expect(tierPrice({ ...bounds, tier: 'instant' }, 999n)).toBe(1_000n);
});

it('adds the tier’s extra, rounded up', () => {
  expect(tierPrice({ ...bounds, tier: 'standard' }, 201n)).toBe(201n);
  expect(tierPrice({ ...bounds, tier: 'fast' }, 201n)).toBe(222n);
  expect(tierPrice({ ...bounds, tier: 'instant' }, 201n)).toBe(252n);
});

/** A node whose answers the test gives when it wants to. */
function fakeNode() {
  const asked: PromiseWithResolvers<unknown>[] = [];
  const unused = (): never => {
    throw new Error('must not be called');
  };
  const rpc: RpcClient = {
    readAll: unused,
    send: unused,
    close: unused,
    read: () => {
      const answer = Promise.withResolvers<unknown>();
      asked.push(answer);
      return answer.promise;
    },
  };
  return { rpc, asked };
}

it('waits for the first price only, and refreshes an old one behind the caller', async () => {
  const { rpc, asked } = fakeNode();
  let now = 0;
  const source = createGasPriceSource({ rpc, policy: bounds, now: () => now });

  const [first, second] = [source.current(), source.current()];
  expect(asked).toHaveLength(1);
  asked[0]?.resolve('0xc8');
  expect(await Promise.all([first, second])).toEqual([200n, 200n]);

  now = 3_000;
  expect(await source.current()).toBe(200n);
  expect(asked).toHaveLength(1);

  now = 3_001;
  expect(await source.current()).toBe(200n);
  expect(asked).toHaveLength(2);
  asked[1]?.reject(new Error('away'));
  await expect(asked[1]?.promise).rejects.toThrow('away');

  expect(await source.current()).toBe(200n);
  asked[2]?.resolve('0x12c');
  await asked[2]?.promise;
  expect(await source.current()).toBe(300n);
});

it('does not pay by a price that is far too old', async () => {
  const { rpc, asked } = fakeNode();
  let now = 0;
  const source = createGasPriceSource({ rpc, policy: bounds, now: () => now });
  const first = source.current();
  asked[0]?.resolve('0xc8');
  await first;
  now = 30_001;
  const late = source.current();
  asked[1]?.resolve('0x12c');
  expect(await late).toBe(300n);
});

it('asks no node for a custom price', async () => {
  const { rpc, asked } = fakeNode();
  const source = createGasPriceSource({ rpc, policy: { ...bounds, customWei: 5_000n }, now: () => 0 });
  expect(await source.current()).toBe(1_000n);
  expect(asked).toHaveLength(0);
});
