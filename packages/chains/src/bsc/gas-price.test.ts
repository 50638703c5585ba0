import { expect, it } from 'vitest';
import { createGasPriceSource, tierPrice } from './gas-price.ts';
import type { RpcClient } from './rpc-client.ts';

const bounds = { floorWei: 100n, capWei: 1_000n };

it('keeps the price within floor and cap', () => {
  expect(tierPrice(bounds, 0n, 'standard')).toBe(100n);
  expect(tierPrice(bounds, 10_000n, 'standard')).toBe(1_000n);
  expect(tierPrice(bounds, 999n, 'instant')).toBe(1_000n);
});

it('adds the tier’s extra, rounded up, above the floor too', () => {
  expect(tierPrice(bounds, 201n, 'standard')).toBe(201n);
  expect(tierPrice(bounds, 201n, 'fast')).toBe(222n);
  expect(tierPrice(bounds, 201n, 'instant')).toBe(252n);
  expect(tierPrice(bounds, 0n, 'fast')).toBe(110n);
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

  const [first, second] = [source.priceFor('standard'), source.priceFor('standard')];
  expect(asked).toHaveLength(1);
  asked[0]?.resolve('0xc8');
  expect(await Promise.all([first, second])).toEqual([200n, 200n]);

  now = 3_000;
  expect(await source.priceFor('standard')).toBe(200n);
  expect(asked).toHaveLength(1);

  now = 3_001;
  expect(await source.priceFor('standard')).toBe(200n);
  expect(asked).toHaveLength(2);
  asked[1]?.reject(new Error('away'));
  await expect(asked[1]?.promise).rejects.toThrow('away');

  expect(await source.priceFor('standard')).toBe(200n);
  asked[2]?.resolve('0x12c');
  await asked[2]?.promise;
  expect(await source.priceFor('standard')).toBe(300n);
});

it('does not pay by a price that is far too old', async () => {
  const { rpc, asked } = fakeNode();
  let now = 0;
  const source = createGasPriceSource({ rpc, policy: bounds, now: () => now });
  const first = source.priceFor('standard');
  asked[0]?.resolve('0xc8');
  await first;
  now = 30_001;
  const late = source.priceFor('standard');
  asked[1]?.resolve('0x12c');
  expect(await late).toBe(300n);
});

it('pays a price that a person chose as it is, and asks no node for it', async () => {
  const { rpc, asked } = fakeNode();
  const source = createGasPriceSource({ rpc, policy: bounds, now: () => 0 });
  expect(await source.priceFor(5_000n)).toBe(5_000n);
  expect(asked).toHaveLength(0);
});

it('tells what each tier costs, and the node’s own price beside them', async () => {
  const { rpc, asked } = fakeNode();
  const source = createGasPriceSource({ rpc, policy: bounds, now: () => 0 });
  const prices = source.prices();
  asked[0]?.resolve('0x0');
  expect(await prices).toEqual({ standard: 100n, fast: 110n, instant: 125n, current: 0n });
});
