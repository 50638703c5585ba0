import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSolanaAdapter,
  type AttemptRef,
  type ChainPort,
  type KeyMaterial,
  type PreparedTransaction,
  type Settlement,
  type SignedTransaction,
  type SolanaAdapterOptions,
  type SwapRequest,
} from '@kervan/chains';
import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSolanaSandbox, type SolanaSandbox } from '../src/solana/start.ts';
import type { Weather } from '../src/weather.ts';

const slotMs = 400;
const sol = 1_000_000_000n;
const clearSky: Partial<Weather> = {
  latencyMs: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  expireBlockhashes: false,
  unreachable: false,
};

let sandbox: SolanaSandbox;
let adapter: ChainPort;
let dataDir: string;
/** Added to the sandbox's clock; it only grows. */
let aheadMs = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-solana-adapter-'));
  sandbox = await startSolanaSandbox({ dataDir, port: 0, now: () => Date.now() + aheadMs });
  adapter = createAdapter();
});

afterEach(async () => {
  await setWeather(clearSky);
});

afterAll(async () => {
  adapter.close();
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

function createAdapter(options: Partial<SolanaAdapterOptions> = {}): ChainPort {
  return createSolanaAdapter({
    network: 'sandbox',
    rpcUrl: sandbox.url,
    wsUrl: sandbox.wsUrl,
    jupiterUrl: sandbox.url,
    swapPrograms: sandbox.programs,
    genesisHash: null,
    tokenList: (mint) => sandbox.tokens.find((token) => token.address === mint),
    ...options,
  });
}

async function control(method: 'POST' | 'PUT', path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${sandbox.url}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
}

const setWeather = (weather: Partial<Weather>): Promise<void> => control('PUT', '/sandbox/weather', weather);

async function fundedWallet(lamports = 5n * sol): Promise<KeyMaterial> {
  const key = await adapter.createKey();
  await control('POST', '/sandbox/faucet', { address: key.address, amount: String(lamports) });
  return key;
}

function tokenAddress(symbol: string): string {
  const token = sandbox.tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`The sandbox has no ${symbol}`);
  return token.address;
}

interface Attempt {
  ref: AttemptRef;
  prepared: PreparedTransaction;
  signed: SignedTransaction;
}

type Ask = Pick<SwapRequest, 'action' | 'tokenAddress' | 'amountInUnits'> & { slippageBps?: number };

async function signSwap(key: KeyMaterial, ask: Ask, port = adapter): Promise<Attempt> {
  const prepared = await port.prepareSwap({ owner: key.address, slippageBps: 100, ...ask });
  const signed = await port.sign(prepared, key.secret);
  const { action } = ask;
  const ref = {
    txId: signed.txId,
    owner: key.address,
    action,
    tokenAddress: ask.tokenAddress,
    expiry: prepared.expiry,
  };
  return { ref, prepared, signed };
}

const send = ({ ref, signed }: Attempt) => adapter.broadcast({ ...ref, bytes: signed.bytes });
const watch = ({ ref }: Attempt) => adapter.watch(ref, AbortSignal.timeout(20_000));

async function holdings(key: KeyMaterial, token: string): Promise<{ lamports: bigint; tokens: bigint }> {
  const [native, tokens] = await Promise.all([
    adapter.balances([key.address]),
    adapter.tokenBalances([key.address], token),
  ]);
  return { lamports: native.get(key.address) ?? 0n, tokens: tokens.get(key.address) ?? 0n };
}

/** Sends a swap, waits for it, and holds its settlement against the balances before and after. */
async function tradeAndCompare(key: KeyMaterial, ask: Ask): Promise<Settlement> {
  const before = await holdings(key, ask.tokenAddress);
  const attempt = await signSwap(key, ask);
  expect(await send(attempt)).toEqual({ kind: 'accepted' });
  const outcome = await watch(attempt);
  if (outcome.kind !== 'success') throw new Error(`The swap ended as ${outcome.kind}`);
  const after = await holdings(key, ask.tokenAddress);
  const { nativeUnits, tokenUnits, feeUnits, tipUnits, rentUnits } = outcome.settlement;
  const sign = ask.action === 'buy' ? -1n : 1n;
  expect(after.lamports - before.lamports).toBe(sign * nativeUnits - feeUnits - tipUnits - rentUnits);
  expect(after.tokens - before.tokens).toBe(-sign * tokenUnits);
  return outcome.settlement;
}

describe('the Solana adapter against the sandbox', () => {
  it('accepts its network and refuses another', async () => {
    await expect(adapter.verifyNetwork()).resolves.toBeUndefined();
    await expect(
      createAdapter({ genesisHash: sandbox.genesisHash }).verifyNetwork(),
    ).resolves.toBeUndefined();
    await expect(createAdapter({ genesisHash: 'another' }).verifyNetwork()).rejects.toMatchObject({
      code: 'NETWORK_MISMATCH',
      context: { expected: 'another', actual: sandbox.genesisHash },
    });
  });

  it('describes every token that the sandbox has, and nothing else', async () => {
    for (const { address, symbol, name, decimals } of sandbox.tokens) {
      expect(await adapter.describeToken(address)).toEqual({ address, symbol, name, decimals });
    }
    const wallet = await fundedWallet();
    await expect(adapter.describeToken(wallet.address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    const nobody = await adapter.createKey();
    await expect(adapter.describeToken(nobody.address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(adapter.describeToken('0x00')).rejects.toMatchObject({ code: 'TOKEN_ADDRESS_INVALID' });
  });

  it('reads the balances of any number of wallets', async () => {
    const wallet = await fundedWallet(123_456_789n);
    const strangers = await Promise.all(Array.from({ length: 150 }, () => adapter.createKey()));
    const addresses = [...strangers.map((key) => key.address), wallet.address];
    const balances = await adapter.balances(addresses);
    expect(balances.size).toBe(151);
    expect(balances.get(wallet.address)).toBe(123_456_789n);
    expect([...balances.values()].filter((units) => units > 0n)).toHaveLength(1);
    const tokens = await adapter.tokenBalances(addresses, tokenAddress('USDC'));
    expect([...tokens.values()].every((units) => units === 0n)).toBe(true);
  });

  it('settles random buys and sells to the base unit', async () => {
    const symbols = ['USDC', 'BONK', 'KRVN', 'JitoSOL', 'IPEK', 'AYAZ'];
    await Promise.all(
      symbols.map(async (symbol, index) => {
        const token = tokenAddress(symbol);
        const key = await fundedWallet();
        const spent = sol / 10n + BigInt(randomBytes(4).readUInt32LE());
        const first = await tradeAndCompare(key, {
          action: 'buy',
          tokenAddress: token,
          amountInUnits: spent / 8n,
        });
        expect(first.nativeUnits).toBe(spent / 8n);
        expect(first.rentUnits).toBe(2_039_280n);
        const second = await tradeAndCompare(key, {
          action: 'buy',
          tokenAddress: token,
          amountInUnits: spent / 4n,
        });
        expect(second.rentUnits).toBe(0n);
        const held = first.tokenUnits + second.tokenUnits;
        const part = (held * BigInt(10 + index * 12)) / 100n;
        const sold = await tradeAndCompare(key, { action: 'sell', tokenAddress: token, amountInUnits: part });
        expect(sold.tokenUnits).toBe(part);
        expect(sold.nativeUnits).toBeGreaterThan(0n);
        await tradeAndCompare(key, { action: 'sell', tokenAddress: token, amountInUnits: held - part });
      }),
    );
  });

  it('settles swaps of a wallet that held wrapped SOL before, which they unwrap with their own', async () => {
    const [token, wsol] = [tokenAddress('USDC'), tokenAddress('WSOL')];
    const key = await fundedWallet();
    const solHeld = async (): Promise<bigint> => {
      const { lamports, tokens } = await holdings(key, wsol);
      return lamports + tokens;
    };
    const wrapped = 3n * sol;
    for (const action of ['buy', 'sell'] as const) {
      const grant = { address: key.address, tokenAddress: wsol, amount: String(wrapped) };
      await control('POST', '/sandbox/faucet', grant);
      const before = { sol: await solHeld(), tokens: (await holdings(key, token)).tokens };
      const amountInUnits = action === 'buy' ? sol / 2n : before.tokens;
      const attempt = await signSwap(key, { action, tokenAddress: token, amountInUnits });
      await send(attempt);
      const outcome = await watch(attempt);
      if (outcome.kind !== 'success') throw new Error(`The swap ended as ${outcome.kind}`);
      const { nativeUnits, feeUnits, tipUnits, rentUnits } = outcome.settlement;
      const side = action === 'buy' ? -nativeUnits : nativeUnits;
      expect((await solHeld()) - before.sol).toBe(side - feeUnits - tipUnits - rentUnits);
      expect(nativeUnits).toBeGreaterThan(0n);
      expect(nativeUnits).toBeLessThanOrEqual(sol / 2n);
    }
  });

  describe('with a swap service or a node that is not what it should be', () => {
    const ask = async (): Promise<SwapRequest> => ({
      owner: (await fundedWallet()).address,
      action: 'buy',
      tokenAddress: tokenAddress('USDC'),
      amountInUnits: sol,
      slippageBps: 100,
    });

    /** An adapter whose requests to some address or method are answered by somebody else. */
    function deceived(isAbout: string, answer: (real: Response) => Promise<object>): ChainPort {
      return createAdapter({
        genesisHash: sandbox.genesisHash,
        fetch: async (input, init) => {
          const real = await fetch(input, init);
          const body = typeof init?.body === 'string' ? init.body : '';
          const asked = `${input instanceof Request ? input.url : String(input)} ${body}`;
          return asked.includes(isAbout) ? Response.json(await answer(real)) : real;
        },
      });
    }

    it('refuses a program that is none of the swap service’s', async () => {
      const strict = createAdapter({ swapPrograms: [] });
      await expect(strict.prepareSwap(await ask())).rejects.toMatchObject({
        code: 'SIMULATION_FAILED',
        context: { reason: expect.stringContaining(`calls the program ${sandbox.programs[0]}`) },
      });
    });

    it('refuses a priority fee above its cap that only the message tells of', async () => {
      const port = deceived('/swap/v1/swap', async (real) => {
        const swap: unknown = await real.json();
        if (typeof swap !== 'object' || swap === null || !('swapTransaction' in swap)) throw new Error();
        return { ...swap, swapTransaction: withUnitPrice(String(swap.swapTransaction), 1_000_000_000n) };
      });
      await expect(port.prepareSwap(await ask())).rejects.toMatchObject({
        code: 'SIMULATION_FAILED',
        context: { reason: expect.stringContaining('priority fee') },
      });
    });

    it('prepares nothing on a node that has come to serve another network', async () => {
      const port = deceived('getGenesisHash', async () => ({ jsonrpc: '2.0', id: '1', result: 'another' }));
      await expect(port.prepareSwap(await ask())).rejects.toMatchObject({ code: 'NETWORK_MISMATCH' });
    });
  });

  it('refuses at no cost what the wallet cannot pay for', async () => {
    const key = await fundedWallet(sol);
    const usdc = tokenAddress('USDC');
    const prepare = (ask: Ask) => adapter.prepareSwap({ owner: key.address, slippageBps: 100, ...ask });
    await expect(prepare({ action: 'buy', tokenAddress: usdc, amountInUnits: sol })).rejects.toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '1', symbol: 'SOL' },
    });
    await expect(
      prepare({ action: 'sell', tokenAddress: usdc, amountInUnits: 1_500_000n }),
    ).rejects.toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '0', needed: '1.5', symbol: 'USDC' },
    });
    expect(await holdings(key, usdc)).toEqual({ lamports: sol, tokens: 0n });
  });

  it('says so when nothing trades the token or the amount', async () => {
    const key = await fundedWallet();
    const unlisted = (await adapter.createKey()).address;
    const ask = { owner: key.address, action: 'buy', amountInUnits: sol / 10n, slippageBps: 100 } as const;
    for (const token of [unlisted, tokenAddress('WSOL')]) {
      await expect(adapter.quote({ ...ask, tokenAddress: token })).rejects.toMatchObject({
        code: 'ROUTE_UNAVAILABLE',
      });
    }
    await expect(
      adapter.prepareSwap({ ...ask, tokenAddress: tokenAddress('USDC'), amountInUnits: 1n }),
    ).rejects.toMatchObject({ code: 'ROUTE_UNAVAILABLE' });
  });

  it('reports a price that moved after signing as slippage that cost the fee alone', async () => {
    const token = tokenAddress('SAFRAN');
    const [key, whale] = await Promise.all([fundedWallet(), fundedWallet(5_000n * sol)]);
    const stale = await signSwap(key, {
      action: 'buy',
      tokenAddress: token,
      amountInUnits: sol,
      slippageBps: 10,
    });
    await tradeAndCompare(whale, { action: 'buy', tokenAddress: token, amountInUnits: 2_000n * sol });
    const before = await holdings(key, token);
    await send(stale);
    const outcome = await watch(stale);
    expect(outcome).toMatchObject({
      kind: 'reverted',
      failure: { code: 'SLIPPAGE_EXCEEDED' },
      settlement: { nativeUnits: 0n, tokenUnits: 0n, rentUnits: 0n, tipUnits: 0n },
    });
    if (outcome.kind !== 'reverted') throw new Error('unreachable: matched above');
    const after = await holdings(key, token);
    expect(before.lamports - after.lamports).toBe(outcome.settlement.feeUnits);
    expect(after.tokens).toBe(0n);
  });

  it('leaves a send that never arrived pending until the same bytes are sent again', async () => {
    const key = await fundedWallet();
    const attempt = await signSwap(key, {
      action: 'buy',
      tokenAddress: tokenAddress('USDC'),
      amountInUnits: sol,
    });
    await setWeather({ dropSendRate: 1 });
    expect(await send(attempt)).toEqual({ kind: 'accepted' });
    await setWeather(clearSky);
    expect(await adapter.outcome(attempt.ref)).toEqual({ kind: 'pending' });
    const watching = watch(attempt);
    expect(await send(attempt)).toEqual({ kind: 'accepted' });
    expect(await watching).toMatchObject({ kind: 'success' });
  });

  it('finds a swap that landed although its answer was lost, and may send it again', async () => {
    const key = await fundedWallet();
    const attempt = await signSwap(key, {
      action: 'buy',
      tokenAddress: tokenAddress('USDC'),
      amountInUnits: sol,
    });
    await setWeather({ loseAnswerRate: 1 });
    await expect(send(attempt)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    await setWeather(clearSky);
    expect(await send(attempt)).toEqual({ kind: 'accepted' });
    const outcome = await watch(attempt);
    expect(outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: sol } });
    expect(await adapter.outcome(attempt.ref)).toEqual(outcome);
  });

  it('trades through a node that refuses every third request', async () => {
    const key = await fundedWallet();
    let asked = 0;
    const busy = createAdapter({
      fetch: async (input, init) => {
        asked += 1;
        return asked % 3 === 0 ? new Response('', { status: 429 }) : fetch(input, init);
      },
    });
    const ask: Ask = { action: 'buy', tokenAddress: tokenAddress('USDT'), amountInUnits: sol };
    const { ref, signed } = await signSwap(key, ask, busy);
    expect(await busy.broadcast({ ...ref, bytes: signed.bytes })).toEqual({ kind: 'accepted' });
    const outcome = await busy.watch(ref, AbortSignal.timeout(20_000));
    expect(outcome).toMatchObject({ kind: 'success', settlement: { nativeUnits: sol } });
    busy.close();
  });

  it('keeps watching through a node that went away', async () => {
    const key = await fundedWallet();
    const attempt = await signSwap(key, {
      action: 'buy',
      tokenAddress: tokenAddress('USDC'),
      amountInUnits: sol,
    });
    await setWeather({ unreachable: true });
    const watching = watch(attempt);
    await expect(adapter.outcome(attempt.ref)).rejects.toMatchObject({ code: 'NETWORK_UNREACHABLE' });
    await setWeather(clearSky);
    await send(attempt);
    expect(await watching).toMatchObject({ kind: 'success' });
  });

  it('serves 300 watches with one poll for all of them, and ends them at the abort', async () => {
    const calls = new Map<string, number>();
    const counting = createAdapter({
      fetch: async (input, init) => {
        const method = typeof init?.body === 'string' ? (/"method":"(\w+)"/.exec(init.body)?.[1] ?? '') : '';
        calls.set(method, (calls.get(method) ?? 0) + 1);
        return fetch(input, init);
      },
    });
    const key = await fundedWallet();
    const attempt = await signSwap(key, {
      action: 'buy',
      tokenAddress: tokenAddress('USDC'),
      amountInUnits: sol,
    });
    const abort = new AbortController();
    const others = Array.from({ length: 300 }, () => {
      const txId = getBase58Decoder().decode(randomBytes(64));
      return counting.watch({ ...attempt.ref, txId }, abort.signal);
    });
    const startedAt = Date.now();
    await send(attempt);
    expect(await counting.watch(attempt.ref, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'success' });
    // Two calls hold 301 signatures; one poll at each slot, and the first ones before a slot is heard of.
    const polls = Math.ceil((Date.now() - startedAt) / slotMs) + 3;
    expect(calls.get('getSignatureStatuses')).toBeLessThanOrEqual(2 * polls);
    expect(calls.get('getTransaction')).toBe(1);
    abort.abort();
    expect(new Set((await Promise.all(others)).map((outcome) => outcome.kind))).toEqual(new Set(['pending']));
    counting.close();
  });

  it('calls an attempt dead only when its expiry is final, and never one that landed', async () => {
    const token = tokenAddress('USDC');
    const [key, other] = await Promise.all([fundedWallet(), fundedWallet()]);
    const unsent = await signSwap(key, { action: 'buy', tokenAddress: token, amountInUnits: sol });
    const landed = await signSwap(other, { action: 'buy', tokenAddress: token, amountInUnits: sol });
    await send(landed);
    expect(await watch(landed)).toMatchObject({ kind: 'success' });

    // Past the last valid height, but finalized blocks (32 slots behind) are not.
    aheadMs += 160 * slotMs;
    await slotAfterJump();
    expect(await send(unsent)).toMatchObject({ kind: 'accepted' });
    expect(await adapter.outcome(unsent.ref)).toEqual({ kind: 'pending' });

    const watching = watch(unsent);
    aheadMs += 40 * slotMs;
    expect(await watching).toEqual({ kind: 'dead', why: 'expired' });
    expect(await adapter.outcome(unsent.ref)).toEqual({ kind: 'dead', why: 'expired' });
    expect(await adapter.outcome(landed.ref)).toMatchObject({ kind: 'success' });
    expect((await holdings(key, token)).tokens).toBe(0n);
  });

  it('does not sign on a blockhash that has expired', async () => {
    const key = await fundedWallet();
    await setWeather({ expireBlockhashes: true });
    await expect(
      signSwap(key, { action: 'buy', tokenAddress: tokenAddress('USDC'), amountInUnits: sol }),
    ).rejects.toMatchObject({ code: 'TRANSACTION_EXPIRED' });
  });
});

/** The same swap at another price for each compute unit, in micro-lamports. */
function withUnitPrice(swapTransaction: string, microLamports: bigint): string {
  const wire = Buffer.from(swapTransaction, 'base64');
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (message.version === 1) throw new Error('The sandbox composes version 0');
  const data = Buffer.alloc(9, 3);
  data.writeBigUInt64LE(microLamports, 1);
  const instructions = message.instructions.map((each) => (each.data?.[0] === 3 ? { ...each, data } : each));
  const changed = getCompiledTransactionMessageEncoder().encode({ ...message, instructions });
  return Buffer.concat([wire.subarray(0, -messageBytes.length), Uint8Array.from(changed)]).toString('base64');
}

/** The sandbox takes its clock up at its next tick: waits until a swap is given an expiry past the jump. */
async function slotAfterJump(): Promise<void> {
  const key = await fundedWallet();
  const ask: Ask = { action: 'buy', tokenAddress: tokenAddress('USDC'), amountInUnits: sol };
  const heightNow = async (): Promise<bigint> => {
    const { expiry } = (await signSwap(key, ask)).prepared;
    return expiry.kind === 'block-height' ? expiry.lastValidBlockHeight : 0n;
  };
  const jumped = BigInt(Math.floor((Date.now() + aheadMs - Date.UTC(2026, 0, 1)) / slotMs));
  await expect.poll(heightNow, { interval: 100, timeout: 10_000 }).toBeGreaterThanOrEqual(jumped + 150n);
}
