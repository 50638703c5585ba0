import type { ChainPort } from '@kervan/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, wei, type Harness } from './bsc-adapter-harness.ts';
import { createIssuer, type Issuer } from './bsc-adapter-pools.ts';

describe('screening a BSC token by a purchase and a sale that are only simulated', () => {
  let harness: Harness;
  let adapter: ChainPort;
  let issuer: Issuer;

  beforeAll(async () => {
    harness = await startHarness();
    ({ adapter } = harness);
    issuer = await createIssuer(harness);
  });
  afterAll(() => harness.close());

  it.each(['sCAKE', 'sDOGE', 'sUSD', 'sGEM'])('finds nothing wrong with %s', async (symbol) => {
    expect(await adapter.screenToken(harness.token(symbol))).toEqual([]);
  });

  it('measures a transfer tax on both ways', async () => {
    expect(await adapter.screenToken(harness.token('sTAX'))).toEqual([
      {
        code: 'TRANSFER_TAX',
        severity: 'warning',
        context: { buyPercent: 5, sellPercent: expect.closeTo(5, 1) },
      },
    ]);
  });

  it('calls a high tax a danger', async () => {
    const token = await issuer.createToken(3_000);
    await issuer.addV2Pool(token, 100n * wei);
    const [warning] = await adapter.screenToken(token);
    expect(warning).toMatchObject({ code: 'TRANSFER_TAX', severity: 'danger', context: { buyPercent: 30 } });
  });

  it('screens what is traded on V3 alone', async () => {
    const token = await issuer.createToken(0);
    expect(await adapter.screenToken(token)).toEqual([
      { code: 'NO_MARKET', severity: 'warning', context: {} },
    ]);
    await issuer.addV3Position(token, 2500, 887_250, 100n * wei);
    expect(await adapter.screenToken(token)).toEqual([]);
  });

  it('finds out a token that can be bought and not be sold', async () => {
    const token = await issuer.createTrap();
    await issuer.addV2Pool(token, 100n * wei);
    expect(await adapter.screenToken(token)).toEqual([
      { code: 'SELL_FAILS', severity: 'danger', context: {} },
    ]);
  });

  it('finds out a token of which nothing arrives', async () => {
    const token = await issuer.createToken(10_000);
    await issuer.addV2Pool(token, 100n * wei);
    expect(await adapter.screenToken(token)).toEqual([
      { code: 'BUY_FAILS', severity: 'danger', context: {} },
    ]);
  });

  it('finds no token where there is no contract, and leaves no trace on the chain', async () => {
    const { address } = await adapter.createKey();
    await expect(adapter.screenToken(address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    const prober = '0x00000000000000000000000000000000005ca1e6';
    expect(await adapter.balances([prober])).toEqual(new Map([[prober, 0n]]));
  });
});
