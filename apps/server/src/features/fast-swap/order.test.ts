import { bscFastSwapSchema } from '@kervan/contract';
import { expect, test } from 'vitest';
import { createNetworks } from '../../engine/networks.ts';
import { bscOrder, fingerprint, wipeKeys } from './order.ts';

const keys = createNetworks({ sandboxPorts: undefined }).keys('bsc');
const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318';
const tokenAddress = '0x55d398326f99059fF775485246999027B3197955';

const order = (fields: object) =>
  bscOrder(
    bscFastSwapSchema.parse({ mode: 'buy', tokenAddress, percent: 25, privateKeys: [key], ...fields }),
    keys,
  );

test('the defaults are those of the screens, the slippage a percent', async () => {
  expect(await order({})).toMatchObject({ slippageBps: 100, dexVersion: 'v2', gas: 'fast' });
  expect(await order({ slippageBps: 0.15 })).toMatchObject({ slippageBps: 15 });
});

test.each([
  [0.1, 100_000_000n],
  [1.05, 1_050_000_000n],
  [2.123456789, 2_123_456_789n],
  [100, 100_000_000_000n],
])('a price of %d gwei is %s wei', async (gasPrice, wei) => {
  expect((await order({ gasPrice })).gas).toBe(wei);
});

test('two requests are the same whose keys are only spelled differently', async () => {
  const hash = fingerprint(await order({}));
  expect(fingerprint(await order({ privateKeys: [`0x${key.toUpperCase()}`] }))).toEqual(hash);
  expect(fingerprint(await order({ percent: 26 }))).not.toEqual(hash);
  expect(fingerprint(await order({ gasPrice: 1.1 }))).not.toEqual(hash);
  expect(fingerprint(await order({ privateKeys: [`${key.slice(0, 63)}9`] }))).not.toEqual(hash);
});

test('keys are wiped, those before an invalid one too', async () => {
  const made = await order({});
  expect(made.pasted[0]?.secret.some((byte) => byte !== 0)).toBe(true);
  wipeKeys(made);
  expect(made.pasted[0]?.secret.every((byte) => byte === 0)).toBe(true);

  const read: Uint8Array[] = [];
  const body = bscFastSwapSchema.parse({
    mode: 'buy',
    tokenAddress,
    percent: 25,
    privateKeys: [key, 'f'.repeat(64)],
  });
  const recording = {
    importKey: async (text: string) => {
      const material = await keys.importKey(text);
      read.push(material.secret);
      return material;
    },
  };
  await expect(bscOrder(body, recording)).rejects.toMatchObject({
    code: 'PRIVATE_KEY_HEX_INVALID',
    context: { field: 'privateKeys.1' },
  });
  expect(read).toHaveLength(1);
  expect(read[0]?.every((byte) => byte === 0)).toBe(true);
});
