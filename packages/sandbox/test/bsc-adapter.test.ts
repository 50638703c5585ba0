import { randomInt } from 'node:crypto';
import { KervanError } from '@kervan/contract';
import type { ChainPort, KeyMaterial, SwapRequest } from '@kervan/chains';
import {
  decodeFunctionData,
  encodeFunctionData,
  parseAbi,
  parseTransaction,
  bytesToHex,
  type Hex,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { gwei, holdings, land, startHarness, trade, wei, type Harness } from './bsc-adapter-harness.ts';

let harness: Harness;
let adapter: ChainPort;
let key: KeyMaterial;

beforeAll(async () => {
  harness = await startHarness();
  ({ adapter } = harness);
  key = await harness.fundedKey(1_000n * wei);
});
afterAll(() => harness.close());

function request(fields: Partial<SwapRequest> & { symbol: string }): SwapRequest {
  const { symbol, ...rest } = fields;
  return {
    owner: key.address,
    action: 'buy',
    tokenAddress: harness.token(symbol),
    amountInUnits: wei,
    slippageBps: 100,
    dexVersion: 'v2',
    ...rest,
  };
}

/** Any amount from 0.0001 to 1 BNB, to the wei. */
const anyWei = (): bigint => 10n ** 14n + BigInt(randomInt(2 ** 47)) * 7_000n;

async function callContract(to: string, data: Hex): Promise<Hex> {
  const answer = await fetch(harness.sandbox.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] }),
  });
  const { result } = (await answer.json()) as { result: Hex };
  return result;
}

const tokenAbi = parseAbi(['function allowance(address owner, address spender) view returns (uint256)']);

async function allowance(token: string, spender: Hex): Promise<bigint> {
  const owner = key.address as Hex;
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'allowance', args: [owner, spender] });
  return BigInt(await callContract(token, data));
}

const v3Abi = parseAbi([
  'struct SwapParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(SwapParams params) payable returns (uint256 amountOut)',
]);
const multicallAbi = parseAbi(['function multicall(bytes[] data) payable returns (bytes[] results)']);

describe('swaps', () => {
  it.each([
    ['V2', 'sUSD', 'v2'],
    ['V2 with 8 decimals', 'sDOGE', 'v2'],
    ['V2 with a transfer tax', 'sTAX', 'v2'],
    ['V3', 'sCAKE', 'v3'],
    ['V3 with 8 decimals', 'sDOGE', 'v3'],
  ] as const)('on %s settle to the base unit, as quoted', async (_, symbol, dexVersion) => {
    for (let round = 0; round < 3; round += 1) {
      const [bought] = await trade(adapter, key, request({ symbol, dexVersion, amountInUnits: anyWei() }));
      expect(bought?.outcome.kind).toBe('success');
      expect(bought?.outcome.settlement.tokenUnits).toBe(bought?.prepared.quote?.expectedOutUnits);

      const tokens = bought?.outcome.settlement.tokenUnits ?? 0n;
      const amountInUnits = tokens - (tokens * BigInt(randomInt(1, 900))) / 1_000n;
      const sold = await trade(adapter, key, request({ symbol, dexVersion, action: 'sell', amountInUnits }));
      expect(sold.map(({ prepared }) => prepared.purpose)).toEqual(['approval', 'swap']);
      expect(sold.at(-1)?.outcome).toMatchObject({ kind: 'success' });
      const settlement = sold.at(-1)?.outcome.settlement;
      expect(settlement?.tokenUnits).toBe(amountInUnits);
      expect(settlement?.nativeUnits).toBe(sold.at(-1)?.prepared.quote?.expectedOutUnits);
    }
  });

  it('approve exactly what they sell, and nothing is left of it', async () => {
    const token = harness.token('sGEM');
    for (const [dexVersion, router] of [
      ['v2', harness.sandbox.contracts.v2Router],
      ['v3', harness.sandbox.contracts.v3Router],
    ] as const) {
      await harness.grant(key.address, 5_000n * wei, token);
      const sell = request({ symbol: 'sGEM', dexVersion, action: 'sell', amountInUnits: 5_000n * wei });
      const approval = await adapter.prepareSwap(sell);
      expect(approval).toMatchObject({ purpose: 'approval', quote: null });
      await land(adapter, key, sell, approval);
      expect(await allowance(token, router)).toBe(5_000n * wei);
      await trade(adapter, key, sell);
      expect(await allowance(token, router)).toBe(0n);
    }
  });

  it('take the V3 pool whose quote is best for the amount', async () => {
    async function poolFor(amountInUnits: bigint): Promise<number> {
      const buy = request({ symbol: 'sUSD', dexVersion: 'v3', amountInUnits });
      const signed = await adapter.sign(await adapter.prepareSwap(buy), key.secret);
      const { data = '0x' } = parseTransaction(bytesToHex(signed.bytes));
      const { args } = decodeFunctionData({ abi: multicallAbi, data });
      return decodeFunctionData({ abi: v3Abi, data: args[0][0] ?? '0x' }).args[0].fee;
    }
    // The 0.01 % pool is cheap and shallow, the 0.05 % pool deep.
    await harness.grant(key.address, 5_000n * wei);
    expect(await poolFor(wei / 100n)).toBe(100);
    expect(await poolFor(2_000n * wei)).toBe(500);
  });

  it('quote a taxed token less its tax, and lower the minimum by the slippage from there', async () => {
    const plain = await adapter.quote(
      request({ symbol: 'sTAX', owner: (await adapter.createKey()).address }),
    );
    const netted = await adapter.quote(request({ symbol: 'sTAX', slippageBps: 250 }));
    // A wallet without BNB can't try the swap: it is quoted what the pool pays.
    expect(netted.expectedOutUnits).toBe(plain.expectedOutUnits - (plain.expectedOutUnits * 500n) / 10_000n);
    expect(netted.minimumOutUnits).toBe((netted.expectedOutUnits * 9_750n) / 10_000n);
  });

  it.each(['v2', 'v3'] as const)(
    'on %s revert on a stale quote, and cost their fee only',
    async (dexVersion) => {
      const buy = request({ symbol: 'sCAKE', dexVersion, amountInUnits: wei / 10n, slippageBps: 10 });
      const prepared = await adapter.prepareSwap(buy);
      const whale = await harness.fundedKey(20_000n * wei);
      for (let push = 0; push < 2; push += 1) {
        await trade(adapter, whale, {
          ...buy,
          owner: whale.address,
          amountInUnits: 4_000n * wei,
          slippageBps: 2_000,
        });
      }
      const { outcome } = await land(adapter, key, buy, prepared);
      expect(outcome).toMatchObject({
        kind: 'reverted',
        failure: { code: 'SLIPPAGE_EXCEEDED' },
        settlement: { nativeUnits: 0n, tokenUnits: 0n },
      });
      expect(outcome.settlement.feeUnits).toBeGreaterThan(0n);
    },
  );

  it('ran out of gas, simulated in the second of the pool’s last trade and mined in a later one', async () => {
    const nextSecond = (): Promise<boolean> => {
      const started = Math.floor(Date.now() / 1000);
      return vi.waitUntil(() => Math.floor(Date.now() / 1000) > started, { timeout: 2_000 });
    };
    // Pools made at the beginning of a second, so that all simulations fall into it: they have no times stored yet.
    await nextSecond();
    const fresh = await startHarness();
    const swaps = await Promise.all(
      (['v2', 'v3'] as const).map(async (dexVersion) => {
        const buyer = await fresh.fundedKey(wei);
        const buy = request({ symbol: 'sGEM', dexVersion, owner: buyer.address, amountInUnits: wei / 10n });
        return { buyer, buy, prepared: await fresh.adapter.prepareSwap(buy) };
      }),
    );
    await nextSecond();
    for (const { buyer, buy, prepared } of swaps) {
      const { outcome } = await land(fresh.adapter, buyer, buy, prepared);
      expect(outcome).toMatchObject({ kind: 'success' });
    }
    await fresh.close();
  });

  it('have the price within floor and cap, and the pending count as nonce', async () => {
    const fresh = await harness.fundedKey(wei);
    const buy = request({ symbol: 'sUSD', owner: fresh.address, amountInUnits: wei / 100n });
    const costly = harness.connect({ gas: { floorWei: 3n * gwei, capWei: 5n * gwei } });
    const first = await costly.prepareSwap(buy);
    expect(first).toMatchObject({ gasPriceUnits: 3n * gwei, expiry: { kind: 'nonce', nonce: 0n } });
    await land(costly, fresh, buy, first);
    expect((await costly.prepareSwap(buy)).expiry).toEqual({ kind: 'nonce', nonce: 1n });
  });
});

describe('refusals, which cost nothing', () => {
  async function refusal(refused: Promise<unknown>): Promise<KervanError> {
    const error: unknown = await refused.catch((thrown: unknown) => thrown);
    if (error instanceof KervanError) return error;
    throw new Error('not refused', { cause: error });
  }

  it('name what is short', async () => {
    const poor = await harness.fundedKey(wei);
    const buy = request({ symbol: 'sUSD', owner: poor.address });
    expect(await refusal(adapter.prepareSwap({ ...buy, amountInUnits: 2n * wei }))).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '1', needed: '2', symbol: 'BNB' },
    });
    // The amount is there, its gas is not.
    const gasShort = await refusal(adapter.prepareSwap({ ...buy, amountInUnits: wei }));
    expect(gasShort).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '1', symbol: 'BNB' },
    });
    expect(gasShort.context.needed).toMatch(/^1\.000\d+$/);

    await harness.grant(poor.address, 150_000_000n, harness.token('sDOGE'));
    const sell = request({
      symbol: 'sDOGE',
      owner: poor.address,
      action: 'sell',
      amountInUnits: 200_000_000n,
    });
    expect(await refusal(adapter.prepareSwap(sell))).toMatchObject({
      code: 'BALANCE_INSUFFICIENT',
      context: { available: '1.5', needed: '2', symbol: 'sDOGE' },
    });
  });

  it('say that no pool trades a token', async () => {
    expect((await refusal(adapter.prepareSwap(request({ symbol: 'sTAX', dexVersion: 'v3' })))).code).toBe(
      'ROUTE_UNAVAILABLE',
    );
    const nobody = (await adapter.createKey()).address;
    for (const dexVersion of ['v2', 'v3'] as const) {
      const buy = { ...request({ symbol: 'sUSD', dexVersion }), tokenAddress: nobody };
      expect((await refusal(adapter.quote(buy))).code).toBe('ROUTE_UNAVAILABLE');
    }
  });

  it('tell addresses that are none', async () => {
    const buy = { ...request({ symbol: 'sUSD' }), tokenAddress: '0x12' };
    expect((await refusal(adapter.prepareSwap(buy))).code).toBe('TOKEN_ADDRESS_INVALID');
    expect((await refusal(adapter.balances(['nonsense']))).code).toBe('ADDRESS_INVALID');
  });

  it('are made for a node of another chain, and for contracts that are not PancakeSwap’s', async () => {
    await adapter.verifyNetwork();
    expect(await refusal(harness.connect({ chainId: 56 }).verifyNetwork())).toMatchObject({
      code: 'NETWORK_MISMATCH',
      context: { expected: 'chain id 56', actual: 'chain id 31337' },
    });
    const { contracts } = harness.sandbox;
    for (const wrong of [
      { ...contracts, v2Router: harness.token('sUSD') },
      { ...contracts, v3Router: key.address },
      { ...contracts, wbnb: harness.token('sUSD') },
      { ...contracts, multicall3: key.address },
    ]) {
      expect((await refusal(harness.connect({ contracts: wrong }).verifyNetwork())).code).toBe(
        'NETWORK_MISMATCH',
      );
    }
  });
});

describe('reads', () => {
  it('describe every sandbox token as the sandbox does', async () => {
    for (const { address, name, symbol, decimals } of harness.sandbox.tokens) {
      expect(await adapter.describeToken(address.toLowerCase())).toEqual({ address, name, symbol, decimals });
    }
    await expect(adapter.describeToken(key.address)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    await expect(adapter.describeToken(harness.sandbox.contracts.v2Router)).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
    await expect(adapter.describeToken('abc')).rejects.toMatchObject({ code: 'TOKEN_ADDRESS_INVALID' });
  });

  it('give the balances of many addresses under the keys they were asked by', async () => {
    const owners = await Promise.all(
      Array.from({ length: 450 }, async () => (await adapter.createKey()).address),
    );
    const rich = key.address.toLowerCase();
    const asked = [...owners, rich];
    const [native, tokens] = [
      await adapter.balances(asked),
      await adapter.tokenBalances(asked, harness.token('sUSD')),
    ];
    expect([...native.keys()]).toEqual(asked);
    expect(owners.every((owner) => native.get(owner) === 0n && tokens.get(owner) === 0n)).toBe(true);
    const held = await holdings(adapter, key.address, harness.token('sUSD'));
    expect({ native: native.get(rich), token: tokens.get(rich) }).toEqual(held);
  });
});
