import { expect, test } from 'vitest';
import { BALANCE_ADDRESSES_MAX } from '@kervan/contract';
import { readBscBalances } from './bsc-balances.ts';
import { createSend } from './send.ts';

test('more addresses than one call takes are asked for in several, and answered as one', async () => {
  const asked: number[] = [];
  const send = createSend(
    async (url) => {
      const { searchParams } = new URL(url instanceof Request ? url.url : url, 'http://server');
      const addresses = searchParams.get('addresses')?.split(',') ?? [];
      asked.push(addresses.length);
      const data = Object.fromEntries(addresses.map((address) => [address, '1.5']));
      return Response.json({ success: true, data, error: null, meta: {} });
    },
    () => 'en',
  );
  const addresses = Array.from({ length: BALANCE_ADDRESSES_MAX + 1 }, (_, index) => `0x${index}`);
  const balances = await readBscBalances({ call: send }, addresses, AbortSignal.timeout(10_000));
  expect(asked).toEqual([BALANCE_ADDRESSES_MAX, 1]);
  expect(Object.keys(balances)).toEqual(addresses);
});
