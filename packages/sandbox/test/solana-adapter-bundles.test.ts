import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KervanError } from '@kervan/contract';
import {
  createSolanaAdapter,
  type AttemptRef,
  type Bundles,
  type ChainPort,
  type KeyMaterial,
  type PreparedTransaction,
  type SignedTransaction,
  type SwapRequest,
} from '@kervan/chains';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSolanaSandbox, type SolanaSandbox } from '../src/solana/start.ts';
import type { Weather } from '../src/weather.ts';

const sol = 1_000_000_000n;
const tipLamports = 25_000n;

let sandbox: SolanaSandbox;
let adapter: ChainPort;
let bundles: Bundles;
let dataDir: string;
let token: string;
/** Added to the sandbox's clock; it only grows. */
let aheadMs = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-solana-bundles-'));
  sandbox = await startSolanaSandbox({ dataDir, port: 0, now: () => Date.now() + aheadMs });
  adapter = createAdapter(sandbox.url);
  token = sandbox.tokens.find(({ symbol }) => symbol === 'KRVN')?.address ?? '';
  if (!adapter.bundles) throw new Error('an adapter with a block engine has bundles');
  bundles = adapter.bundles;
});

afterEach(() => setWeather({ failBundleLeg: null, dropSendRate: 0, loseAnswerRate: 0 }));

afterAll(async () => {
  adapter.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

function createAdapter(blockEngineUrl?: string): ChainPort {
  return createSolanaAdapter({
    network: 'sandbox',
    rpcUrl: sandbox.url,
    wsUrl: sandbox.wsUrl,
    jupiterUrl: sandbox.url,
    ...(blockEngineUrl !== undefined && { blockEngineUrl }),
    bundleTipLamports: tipLamports,
    swapPrograms: sandbox.programs,
    genesisHash: null,
    tokenList: (mint) => sandbox.tokens.find((each) => each.address === mint),
  });
}

async function control(method: 'POST' | 'PUT', path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
}

const setWeather = (weather: Partial<Weather>) => control('PUT', '/sandbox/weather', weather);

async function fundedWallets(count: number, lamports = 50n * sol): Promise<KeyMaterial[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const key = await adapter.createKey();
      await control('POST', '/sandbox/faucet', { address: key.address, amount: String(lamports) });
      return key;
    }),
  );
}

const buys = (keys: readonly KeyMaterial[], amountInUnits: bigint): SwapRequest[] =>
  keys.map((key) => ({
    owner: key.address,
    action: 'buy',
    tokenAddress: token,
    amountInUnits,
    slippageBps: 25,
  }));

interface Leg {
  readonly ref: AttemptRef;
  readonly prepared: PreparedTransaction;
  readonly signed: SignedTransaction;
}

async function sign(keys: readonly KeyMaterial[], requests: readonly SwapRequest[]): Promise<Leg[]> {
  const answers = await bundles.prepare(requests);
  if (!answers) throw new Error('the block engine could not be asked');
  return await Promise.all(
    answers.map(async (prepared, index) => {
      const [key, request] = [keys[index], requests[index]];
      if (prepared instanceof KervanError) throw prepared;
      if (!key || !request) throw new Error('every answer belongs to a request');
      const signed = await adapter.sign(prepared, key.secret);
      const { owner, action, tokenAddress } = request;
      const ref = { txId: signed.txId, owner, action, tokenAddress, expiry: prepared.expiry };
      return { ref, prepared, signed };
    }),
  );
}

const broadcast = (legs: readonly Leg[]) => bundles.broadcast(legs.map(({ signed }) => signed.bytes));
const watchAll = (legs: readonly Leg[]) =>
  Promise.all(legs.map(({ ref }) => adapter.watch(ref, AbortSignal.timeout(20_000))));
const outcomes = (legs: readonly Leg[]) => Promise.all(legs.map(({ ref }) => adapter.outcome(ref)));

describe('bundles of the Solana adapter', () => {
  it('land all legs in one slot, each settled by its own transaction, the tip in one of them', async () => {
    const keys = await fundedWallets(5);
    const before = await adapter.balances(keys.map(({ address }) => address));
    const legs = await sign(keys, buys(keys, sol));
    expect(legs.map(({ prepared }) => prepared.tipUnits)).toEqual([0n, 0n, 0n, 0n, tipLamports]);
    expect(await broadcast(legs)).toEqual({ kind: 'accepted' });
    const settled = (await watchAll(legs)).map((outcome) => {
      if (outcome.kind !== 'success') throw new Error(`a leg ended as ${outcome.kind}`);
      return outcome.settlement;
    });
    expect(new Set(settled.map(({ height }) => height)).size).toBe(1);
    const after = await adapter.balances(keys.map(({ address }) => address));
    for (const [index, { nativeUnits, feeUnits, tipUnits, rentUnits }] of settled.entries()) {
      const address = keys[index]?.address ?? '';
      expect(nativeUnits).toBe(sol);
      expect(tipUnits).toBe(index === 4 ? tipLamports : 0n);
      expect((before.get(address) ?? 0n) - (after.get(address) ?? 0n)).toBe(
        nativeUnits + feeUnits + tipUnits + rentUnits,
      );
    }
    // The same bundle again changes nothing.
    expect(await broadcast(legs)).toEqual({ kind: 'accepted' });
    expect(await adapter.balances(keys.map(({ address }) => address))).toEqual(after);
  });

  it('price each leg behind those before it: what they do themselves is not taken from the slippage', async () => {
    const keys = await fundedWallets(5, 500n * sol);
    const requests = buys(keys, 100n * sol);
    const legs = await sign(keys, requests);
    const expected = legs.map(({ prepared }) => prepared.quote?.expectedOutUnits ?? 0n);
    for (const [index, units] of expected.slice(1).entries())
      expect(units).toBeLessThan(((expected[index] ?? 0n) * 9_975n) / 10_000n);
    await broadcast(legs);
    for (const [index, outcome] of (await watchAll(legs)).entries()) {
      if (outcome.kind !== 'success') throw new Error(`a leg ended as ${outcome.kind}`);
      const expectedUnits = expected[index] ?? 0n;
      expect(outcome.settlement.tokenUnits).toBeGreaterThanOrEqual((expectedUnits * 9_995n) / 10_000n);
    }
  });

  it('land no leg when one of them fails, and the same bytes land together later', async () => {
    const keys = await fundedWallets(3);
    const legs = await sign(keys, buys(keys, sol));
    await setWeather({ failBundleLeg: 1 });
    await broadcast(legs);
    expect(await outcomes(legs)).toEqual(legs.map(() => ({ kind: 'pending' })));
    await setWeather({ failBundleLeg: null, loseAnswerRate: 1 });
    expect(await broadcast(legs)).toEqual({ kind: 'accepted' });
    const settled = await watchAll(legs);
    expect(settled.map(({ kind }) => kind)).toEqual(['success', 'success', 'success']);
  });

  it('are dead by their legs’ blockhash alone', async () => {
    const keys = await fundedWallets(2);
    const legs = await sign(keys, buys(keys, sol));
    await setWeather({ dropSendRate: 1 });
    await broadcast(legs);
    expect(await outcomes(legs)).toEqual(legs.map(() => ({ kind: 'pending' })));
    aheadMs += 200 * 400;
    await expect
      .poll(() => outcomes(legs), { timeout: 5_000 })
      .toEqual(legs.map(() => ({ kind: 'dead', why: 'expired' })));
  });

  it('answer each leg on its own: what one wallet lacks is no other’s fault', async () => {
    const [poor, ...rich] = [...(await fundedWallets(1, sol / 100n)), ...(await fundedWallets(2))];
    const answers = await bundles.prepare(buys([...(poor ? [poor] : []), ...rich], sol));
    expect(answers?.map((each) => (each instanceof KervanError ? each.code : each.purpose))).toEqual([
      'BALANCE_INSUFFICIENT',
      'swap',
      'swap',
    ]);
  });

  it('are not prepared when the block engine is away, and not offered where there is none', async () => {
    const keys = await fundedWallets(2);
    const lonely = createAdapter('http://127.0.0.1:9');
    expect(await lonely.bundles?.prepare(buys(keys, sol))).toBeUndefined();
    lonely.close();
    const plain = createAdapter();
    expect(plain.bundles).toBeUndefined();
    plain.close();
  });
});
