import type { AttemptRef, ChainPort, KeyMaterial, SignedTransaction, SwapRequest } from '@kervan/chains';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  attemptOf,
  clearSky,
  expectBalances,
  gwei,
  holdings,
  land,
  startHarness,
  trade,
  wei,
  type Harness,
} from './bsc-adapter-harness.ts';

let harness: Harness;
let adapter: ChainPort;

beforeAll(async () => {
  harness = await startHarness();
  ({ adapter } = harness);
});
afterEach(() => harness.setWeather(clearSky));
afterAll(() => harness.close());

const never = new AbortController().signal;

interface SignedBuy {
  readonly key: KeyMaterial;
  readonly request: SwapRequest;
  readonly attempt: AttemptRef & SignedTransaction;
}

/** A buy by a new wallet, signed and not yet sent. */
async function signedBuy(amountInUnits = wei / 100n): Promise<SignedBuy> {
  const key = await harness.fundedKey(wei);
  const request: SwapRequest = {
    owner: key.address,
    action: 'buy',
    tokenAddress: harness.token('sUSD'),
    amountInUnits,
    slippageBps: 500,
  };
  const prepared = await adapter.prepareSwap(request);
  return { key, request, attempt: attemptOf(request, prepared, await adapter.sign(prepared, key.secret)) };
}

async function nonceOf(address: string): Promise<number> {
  const answer = await fetch(harness.sandbox.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_getTransactionCount',
      params: [address, 'latest'],
    }),
  });
  const { result } = (await answer.json()) as { result: string };
  return Number(result);
}

describe('a send', () => {
  it('that never arrived lands once by sending the same bytes again', async () => {
    const { key, request, attempt } = await signedBuy();
    const before = await holdings(adapter, key.address, request.tokenAddress);
    await harness.setWeather({ dropSendRate: 1 });
    expect(await adapter.broadcast(attempt)).toEqual({ kind: 'accepted' });
    expect(await adapter.outcome(attempt)).toEqual({ kind: 'pending' });

    await harness.setWeather(clearSky);
    const again = await adapter.broadcast(attempt);
    expect(again).toMatchObject({ kind: 'landed', outcome: { kind: 'success' } });
    expect(await adapter.broadcast(attempt)).toEqual(again);
    const outcome = await adapter.watch(attempt, never);
    expect(again).toEqual({ kind: 'landed', outcome });

    expect(await nonceOf(key.address)).toBe(1);
    const after = await holdings(adapter, key.address, request.tokenAddress);
    if (again.kind === 'landed') expectBalances(request, before, after, again.outcome);
  });

  it('whose answer was lost is found on the chain', async () => {
    const { key, attempt } = await signedBuy();
    await harness.setWeather({ loseAnswerRate: 1 });
    await expect(adapter.broadcast(attempt)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    const outcome = await adapter.watch(attempt, never);
    expect(outcome.kind).toBe('success');
    await harness.setWeather(clearSky);
    expect(await adapter.broadcast(attempt)).toEqual({ kind: 'landed', outcome });
    expect(await nonceOf(key.address)).toBe(1);
  });

  it('whose nonce went to another transaction is dead, and only then', async () => {
    const { key, request, attempt } = await signedBuy();
    expect(await adapter.outcome(attempt)).toEqual({ kind: 'pending' });
    const watched = adapter.watch(attempt, never);
    await trade(adapter, key, { ...request, amountInUnits: wei / 50n });
    expect(await adapter.outcome(attempt)).toEqual({ kind: 'dead', why: 'replaced' });
    expect(await watched).toEqual({ kind: 'dead', why: 'replaced' });
    expect(await adapter.broadcast(attempt)).toMatchObject({ kind: 'rejected' });
  });
});

describe('a replacement', () => {
  it('takes a stuck swap’s nonce with 12.5 % more gas price', async () => {
    const { key, request, attempt } = await signedBuy();
    await harness.setWeather({ dropSendRate: 1 });
    await adapter.broadcast(attempt);
    await harness.setWeather(clearSky);
    const stuck = { ...attempt, purpose: 'swap', gasPriceUnits: gwei } as const;
    const bump = await adapter.prepareReplacement(stuck, 'bump');
    expect(bump).toMatchObject({
      purpose: 'swap',
      owner: key.address,
      expiry: attempt.expiry,
      gasPriceUnits: 1_125_000_000n,
    });
    if (!bump) throw new Error('no replacement');
    const { outcome } = await land(adapter, key, request, bump);
    expect(outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: request.amountInUnits } });
    expect(await adapter.outcome(attempt)).toEqual({ kind: 'dead', why: 'replaced' });
  });

  it('cancels a stuck swap by one that moves nothing', async () => {
    const { key, request, attempt } = await signedBuy();
    const stuck = { ...attempt, purpose: 'swap', gasPriceUnits: gwei } as const;
    const cancel = await adapter.prepareReplacement(stuck, 'cancel');
    expect(cancel).toMatchObject({ purpose: 'cancel', quote: null, expiry: attempt.expiry });
    if (!cancel) throw new Error('no replacement');
    const { outcome } = await land(adapter, key, request, cancel);
    expect(outcome).toMatchObject({
      kind: 'success',
      settlement: { nativeUnits: 0n, tokenUnits: 0n, feeUnits: 21_000n * 1_125_000_000n },
    });
    expect(await adapter.outcome(attempt)).toEqual({ kind: 'dead', why: 'replaced' });
  });

  it('is not made above the cap', async () => {
    const { attempt } = await signedBuy();
    const frugal = harness.connect({ gas: { floorWei: gwei, capWei: 1_124_999_999n } });
    const stuck = { ...attempt, purpose: 'swap', gasPriceUnits: gwei } as const;
    expect(await frugal.prepareReplacement(stuck, 'bump')).toBeUndefined();
    expect(await frugal.prepareReplacement(stuck, 'cancel')).toBeUndefined();
  });
});

describe('a node in bad weather', () => {
  it('that answers 429 now and then is asked until it answers', async () => {
    const key = await harness.fundedKey(wei);
    await harness.setWeather({ tooManyRequestsRate: 0.3 });
    const owner = key.address;
    const request = { owner, action: 'buy', tokenAddress: harness.token('sUSD'), slippageBps: 100 } as const;
    const prepared = await adapter.prepareSwap({ ...request, amountInUnits: wei / 100n });
    const attempt = attemptOf(
      { ...request, amountInUnits: 0n },
      prepared,
      await adapter.sign(prepared, key.secret),
    );
    const watched = adapter.watch(attempt, never);
    // A send is tried once; whoever wants it on the chain sends the same bytes again.
    for (let landed = false; !landed;) {
      landed = await adapter.broadcast(attempt).then(
        ({ kind }) => kind === 'landed',
        () => false,
      );
    }
    expect((await watched).kind).toBe('success');
  });

  it('that can’t be reached is NETWORK_UNREACHABLE to a question, and patience to a watcher', async () => {
    const { attempt } = await signedBuy();
    await harness.setWeather({ unreachable: true });
    const watched = adapter.watch(attempt, never);
    await expect(adapter.outcome(attempt)).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
      context: { network: 'BSC sandbox' },
    });
    await expect(adapter.broadcast(attempt)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    await harness.setWeather(clearSky);
    await adapter.broadcast(attempt);
    expect((await watched).kind).toBe('success');
  });

  it('is asked no longer once the signal aborts', async () => {
    const { request, attempt } = await signedBuy();
    await harness.setWeather({ latencyMs: 5_000 });
    const reason = new Error('enough');
    const prepared = adapter.prepareSwap(request, AbortSignal.abort(reason));
    await expect(prepared).rejects.toBe(reason);
    const controller = new AbortController();
    const watched = adapter.watch(attempt, controller.signal);
    controller.abort();
    expect(await watched).toEqual({ kind: 'pending' });
  });
});

describe('watchers', () => {
  it('of 300 attempts all hear of their own', async () => {
    const buys = await Promise.all(
      Array.from({ length: 300 }, (_, index) => signedBuy(wei / 100n + BigInt(index))),
    );
    const outcomes = Promise.all(buys.map(({ attempt }) => adapter.watch(attempt, never)));
    // Not this adapter's sends: it would know the outcomes without watching.
    const other = harness.connect({ confirmations: 2 });
    await Promise.all(buys.map(({ attempt }) => other.broadcast(attempt)));
    const landed = await outcomes;
    expect(landed.map(({ kind }) => kind)).toEqual(buys.map(() => 'success'));
    expect(landed.map((outcome) => outcome.kind === 'success' && outcome.settlement.nativeUnits)).toEqual(
      buys.map(({ request }) => request.amountInUnits),
    );
  });

  it('wait for as many blocks as are wanted', async () => {
    const careful = harness.connect({ confirmations: 3 });
    const { key, request, attempt } = await signedBuy();
    expect(await careful.broadcast(attempt)).toEqual({ kind: 'accepted' });
    expect(await careful.outcome(attempt)).toEqual({ kind: 'pending' });
    const watched = careful.watch(attempt, never);
    await trade(adapter, key, request);
    expect(await careful.outcome(attempt)).toEqual({ kind: 'pending' });
    await trade(adapter, key, request);
    const outcome = await watched;
    expect(outcome.kind).toBe('success');
    expect(await careful.outcome(attempt)).toEqual(outcome);
  });
});
