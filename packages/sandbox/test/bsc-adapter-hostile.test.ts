import type { ChainPort, SwapRequest } from '@kervan/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { land, startHarness, trade, wei, type Harness } from './bsc-adapter-harness.ts';
import { createIssuer, type Issuer } from './bsc-adapter-pools.ts';

let harness: Harness;
let adapter: ChainPort;
let issuer: Issuer;

beforeAll(async () => {
  harness = await startHarness();
  ({ adapter } = harness);
  issuer = await createIssuer(harness);
});
afterAll(() => harness.close());

/** A buy by a new wallet that has ten times what it spends. */
async function newBuy(
  tokenAddress: string,
  dexVersion: 'v2' | 'v3',
  amountInUnits: bigint,
  slippageBps = 100,
) {
  const key = await harness.fundedKey(10n * amountInUnits);
  const request: SwapRequest = {
    owner: key.address,
    action: 'buy',
    tokenAddress,
    amountInUnits,
    slippageBps,
    dexVersion,
  };
  return { key, request };
}

async function bnbIn(address: string): Promise<bigint | undefined> {
  return (await adapter.balances([address])).get(address);
}

describe('a V3 pool with 10 BNB around its price and nothing beyond', () => {
  it('left BNB in the router: a buy that it fills in part gets the rest back and settles as what it cost', async () => {
    const { v3Router } = harness.sandbox.contracts;
    const token = await issuer.createToken(0);
    await issuer.addV3Position(token, 10_000, 1_000, 10n * wei);
    const { key, request } = await newBuy(token, 'v3', 8n * wei, 5_000);
    const prepared = await adapter.prepareSwap(request);
    expect(prepared.quote?.expectedOutUnits).toBeGreaterThan(7n * wei);

    const other = await newBuy(token, 'v3', 5n * wei);
    const [first] = await trade(adapter, other.key, other.request);
    // What a pool takes whole costs all that was sent.
    expect(first?.outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: 5n * wei } });

    // `land` compares the settlement with what the wallet's balances say.
    // A swap that walks through empty ticks to the end needs more gas than was estimated: with less it reverts.
    const unsigned = { ...z.looseObject({}).parse(prepared.unsigned), gas: 600_000n };
    const { outcome } = await land(adapter, key, request, { ...prepared, unsigned });
    expect(outcome.kind).toBe('success');
    expect(outcome.settlement.nativeUnits).toBeLessThan(6n * wei);
    expect(outcome.settlement.nativeUnits).toBeGreaterThan(5n * wei);
    expect(await bnbIn(v3Router)).toBe(0n);
  });

  it('is no route for more than it can fill, and is passed over for a pool that can', async () => {
    const token = await issuer.createToken(0);
    await issuer.addV3Position(token, 500, 1_000, 10n * wei);
    const { key, request } = await newBuy(token, 'v3', 12n * wei, 5_000);
    await expect(adapter.prepareSwap(request)).rejects.toMatchObject({ code: 'ROUTE_UNAVAILABLE' });
    await expect(adapter.quote(request)).rejects.toMatchObject({ code: 'ROUTE_UNAVAILABLE' });

    await issuer.addV3Position(token, 10_000, 887_200, 10n * wei);
    const [bought] = await trade(adapter, key, request);
    // The whole range's pool pays less for it than the 10 BNB's worth that the other had.
    expect(bought?.outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: 12n * wei } });
    expect(bought?.outcome.settlement.tokenUnits).toBeLessThan(6n * wei);

    const sell = { ...request, action: 'sell', amountInUnits: 5n * wei } as const;
    const sold = await trade(adapter, key, sell);
    expect(sold.at(-1)?.outcome).toMatchObject({ kind: 'success', settlement: { tokenUnits: 5n * wei } });
  });
});

describe('a token that keeps more than a quarter of what is transferred', () => {
  it.each(['v2', 'v3'] as const)('lay outside the slippage: is not bought on %s', async (dexVersion) => {
    const token = await issuer.createToken(3_000);
    await issuer.addV2Pool(token, 100n * wei);
    await issuer.addV3Position(token, 2500, 887_250, 100n * wei);
    const { request } = await newBuy(token, dexVersion, wei / 10n);
    const excessive = { code: 'TAX_EXCESSIVE', context: { taxPercent: 30, maxPercent: 25 } };
    await expect(adapter.prepareSwap(request)).rejects.toMatchObject(excessive);
    await expect(adapter.quote(request)).rejects.toMatchObject(excessive);
  });

  it('is not sold either', async () => {
    const token = await issuer.createToken(3_000);
    await issuer.addV2Pool(token, 100n * wei);
    const { key, request } = await newBuy(token, 'v2', wei);
    await issuer.give(token, key.address, wei);
    await expect(adapter.prepareSwap({ ...request, action: 'sell' })).rejects.toMatchObject({
      code: 'TAX_EXCESSIVE',
    });
  });

  it('is traded where it keeps a quarter, and quoted as what arrives, on both', async () => {
    const token = await issuer.createToken(2_500);
    await issuer.addV2Pool(token, 100n * wei);
    await issuer.addV3Position(token, 2500, 887_250, 100n * wei);
    for (const dexVersion of ['v2', 'v3'] as const) {
      const { key, request } = await newBuy(token, dexVersion, wei / 10n);
      const [bought] = await trade(adapter, key, request);
      expect(bought?.outcome.kind).toBe('success');
      expect(bought?.outcome.settlement.tokenUnits).toBe(bought?.prepared.quote?.expectedOutUnits);
      expect(bought?.outcome.settlement.tokenUnits).toBeLessThan((wei * 76n) / 1_000n);
    }
  });
});
