import {
  provenKind,
  type AttemptRef,
  type ChainPort,
  type KeyMaterial,
  type LandedOutcome,
  type PreparedTransaction,
  type SignedTransaction,
  type TransferAsset,
} from '@kervan/chains';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gwei, holdings, startHarness, wei, type Harness } from './bsc-adapter-harness.ts';

let harness: Harness;
let adapter: ChainPort;

beforeAll(async () => {
  harness = await startHarness();
  ({ adapter } = harness);
});
afterAll(() => harness.close());

const plainFee = 21_000n * gwei;
const weiOf = async (address: string) => (await adapter.balances([address])).get(address) ?? -1n;
const newAddress = async () => (await adapter.createKey()).address;

type Attempt = AttemptRef & SignedTransaction;

async function sign(
  key: KeyMaterial,
  recipient: string,
  asset: TransferAsset,
  prepared: PreparedTransaction,
): Promise<Attempt> {
  return {
    ...(await adapter.sign(prepared, key.secret)),
    owner: key.address,
    action: 'sell',
    tokenAddress: asset.kind === 'token' ? asset.tokenAddress : '',
    transfer: { recipient, asset },
    expiry: prepared.expiry,
  };
}

async function land(attempt: Attempt): Promise<LandedOutcome> {
  const answer = await adapter.broadcast(attempt);
  if (answer.kind !== 'landed') throw new Error(`not landed: ${answer.kind}`);
  expect(await adapter.outcome(attempt)).toEqual(answer.outcome);
  return answer.outcome;
}

async function transfer(key: KeyMaterial, recipient: string, asset: TransferAsset): Promise<LandedOutcome> {
  const prepared = await adapter.prepareTransfer({ owner: key.address, recipient, asset });
  expect(prepared).toMatchObject({ purpose: 'transfer', owner: key.address, quote: null });
  return await land(await sign(key, recipient, asset, prepared));
}

describe('a transfer of BNB', () => {
  it('moves exactly so much and costs exactly 21,000 gas', async () => {
    const [key, recipient] = [await harness.fundedKey(wei), await newAddress()];
    const outcome = await transfer(key, recipient, { kind: 'native', amountUnits: 12_345n });
    expect(outcome).toMatchObject({
      kind: 'success',
      settlement: { nativeUnits: 12_345n, tokenUnits: 0n, feeUnits: plainFee, rentUnits: 0n },
    });
    expect(await weiOf(recipient)).toBe(12_345n);
    expect(await weiOf(key.address)).toBe(wei - 12_345n - plainFee);
  });

  it('of everything leaves no wei behind', async () => {
    const recipient = await newAddress();
    let expected = 0n;
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: plainFee + 1n, max: 3n * wei }), async (held) => {
        const key = await harness.fundedKey(held);
        const outcome = await transfer(key, recipient, { kind: 'native-rest' });
        expected += held - plainFee;
        expect(outcome).toMatchObject({
          kind: 'success',
          settlement: { nativeUnits: held - plainFee, feeUnits: plainFee },
        });
        expect(await weiOf(recipient)).toBe(expected);
        expect(await weiOf(key.address)).toBe(0n);
      }),
      { numRuns: 12, examples: [[plainFee + 1n]] },
    );
  });

  it('is refused at no cost where the fee would take it all, or more than there is', async () => {
    const key = await harness.fundedKey(plainFee);
    const request = { owner: key.address, recipient: await newAddress() };
    const assets: TransferAsset[] = [{ kind: 'native-rest' }, { kind: 'native', amountUnits: 1n }];
    for (const asset of assets) {
      await expect(adapter.prepareTransfer({ ...request, asset })).rejects.toMatchObject({
        code: 'BALANCE_INSUFFICIENT',
        context: { available: '0.000021', needed: '0.000021000000000001', symbol: 'BNB' },
      });
    }
    expect(await weiOf(key.address)).toBe(plainFee);
  });

  it('to a contract that refuses it is refused at no cost', async () => {
    const key = await harness.fundedKey(wei);
    const recipient = harness.sandbox.contracts.v2Router;
    await expect(
      adapter.prepareTransfer({ owner: key.address, recipient, asset: { kind: 'native-rest' } }),
    ).rejects.toMatchObject({ code: 'SIMULATION_FAILED' });
    expect(await weiOf(key.address)).toBe(wei);
  });

  it('that is stuck is replaced by one that moves as much less as it pays more', async () => {
    const [key, recipient] = [await harness.fundedKey(wei), await newAddress()];
    const asset = { kind: 'native-rest' } as const;
    const prepared = await adapter.prepareTransfer({ owner: key.address, recipient, asset });
    const stuck = {
      ...(await sign(key, recipient, asset, prepared)),
      purpose: 'transfer',
      gasPriceUnits: gwei,
    } as const;
    const bump = await adapter.prepareReplacement(stuck, 'bump');
    expect(bump).toMatchObject({ purpose: 'transfer', gasPriceUnits: 1_125_000_000n, expiry: stuck.expiry });
    if (!bump) throw new Error('no replacement');
    const outcome = await land(await sign(key, recipient, asset, bump));
    expect(outcome.settlement).toMatchObject({
      nativeUnits: wei - 21_000n * 1_125_000_000n,
      feeUnits: 21_000n * 1_125_000_000n,
    });
    expect(await weiOf(key.address)).toBe(0n);
    expect(await adapter.outcome(stuck)).toEqual({ kind: 'dead', why: 'replaced' });
  });
});

describe('a transfer of a token', () => {
  it.each(['sUSD', 'sDOGE'])('moves all of %s', async (symbol) => {
    const tokenAddress = harness.token(symbol);
    const [key, recipient] = [await harness.fundedKey(wei), await newAddress()];
    await harness.grant(key.address, 123_456n, tokenAddress);
    const outcome = await transfer(key, recipient, { kind: 'token', tokenAddress });
    expect(outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: 0n, tokenUnits: 123_456n } });
    expect(await holdings(adapter, key.address, tokenAddress)).toEqual({
      native: wei - outcome.settlement.feeUnits,
      token: 0n,
    });
    expect((await holdings(adapter, recipient, tokenAddress)).token).toBe(123_456n);
    await expect(
      adapter.prepareTransfer({ owner: key.address, recipient, asset: { kind: 'token', tokenAddress } }),
    ).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT', context: { available: '0', symbol } });
  });

  it('that taxes transfers says what left the wallet, of which less arrives', async () => {
    const tokenAddress = harness.token('sTAX');
    const [key, recipient] = [await harness.fundedKey(wei), await newAddress()];
    await harness.grant(key.address, 1_000_000n, tokenAddress);
    const { token: held } = await holdings(adapter, key.address, tokenAddress);
    const { settlement } = await transfer(key, recipient, { kind: 'token', tokenAddress });
    expect(settlement.tokenUnits).toBe(held);
    expect((await holdings(adapter, key.address, tokenAddress)).token).toBe(0n);
    const { token: arrived } = await holdings(adapter, recipient, tokenAddress);
    expect(arrived).toBeGreaterThan(0n);
    expect(arrived).toBeLessThan(held);
  });

  it('needs its fee', async () => {
    const tokenAddress = harness.token('sUSD');
    const key = await adapter.createKey();
    await harness.grant(key.address, 5n, tokenAddress);
    await expect(
      adapter.prepareTransfer({
        owner: key.address,
        recipient: await newAddress(),
        asset: { kind: 'token', tokenAddress },
      }),
    ).rejects.toMatchObject({ code: 'BALANCE_INSUFFICIENT', context: { available: '0', symbol: 'BNB' } });
  });
});

it('the node proves that it is the sandbox', async () => {
  await adapter.verifyNetwork();
  expect(provenKind('bsc', adapter.provenNetwork())).toBe('sandbox');
});
