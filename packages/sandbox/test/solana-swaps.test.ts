import { AccountRole, address, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getSyncNativeInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGenesis, type Genesis } from '../src/solana/genesis.ts';
import { associated, lamportsPerSol, openSandbox, wrappedSol, type QuoteResponse } from './solana-client.ts';

type Opened = Awaited<ReturnType<typeof openSandbox>>;

const feePerSignature = 5000n;

describe('swaps in the sandbox', () => {
  let chain: Opened;
  let genesis: Genesis;
  beforeAll(async () => {
    chain = await openSandbox();
    genesis = await createGenesis();
  });
  afterAll(() => chain.close());

  it('pay out what the formula says, to the base unit, for any amounts in any direction', async () => {
    const user = await chain.fund(2_000_000n * lamportsPerSol);
    const safran = chain.mint('SAFRAN');
    let fee = 0;
    let sol = 1_000n * lamportsPerSol;
    let tokens = 1_000_000n * 1_000_000n;
    const held = (): Promise<bigint> => chain.tokens(user.address, safran);
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.bigInt({ min: 1_000n, max: 20n * lamportsPerSol }),
        async (isBuy, wanted) => {
          const before = await held();
          const buys = isBuy || before === 0n;
          const share = (before * wanted) / (20n * lamportsPerSol);
          const amountIn = buys ? wanted : share === 0n ? 1n : share;
          const net = amountIn - (amountIn * 3n + 999n) / 1000n;
          const [x, y] = buys ? [sol, tokens] : [tokens, sol];
          const expected = (y * net) / (x + net);
          fc.pre(expected > 0n);
          const quote = await chain.quote(
            buys ? wrappedSol : safran,
            buys ? safran : wrappedSol,
            amountIn,
            0,
          );
          expect(BigInt(quote.outAmount)).toBe(expected);
          // A fee of its own: two equal swaps in a slot would be one transaction.
          fee += 1;
          const swap = await chain.buildSwap(user, quote, { prioritizationFeeLamports: fee });
          expect((await chain.send(swap.wire)).error).toBeUndefined();
          expect(await held()).toBe(buys ? before + expected : before - amountIn);
          if (buys) [sol, tokens] = [sol + amountIn, tokens - expected];
          else [sol, tokens] = [sol - expected, tokens + amountIn];
        },
      ),
      { numRuns: 40 },
    );
    const pool = genesis.pools.get(safran);
    expect(await chain.tokens(pool?.address ?? '', safran)).toBe(tokens);
    expect(await chain.tokens(pool?.address ?? '', wrappedSol)).toBe(sol);
  });

  it('change the balances by exactly what was quoted, and by the rent of a new token account', async () => {
    const user = await chain.fund(10n * lamportsPerSol);
    const usdc = chain.mint('USDC');
    const buy = await chain.quote(wrappedSol, usdc, lamportsPerSol);
    await swapNow(user, buy);
    expect(await chain.tokens(user.address, usdc)).toBe(BigInt(buy.outAmount));
    const rent = await chain.rpc.getMinimumBalanceForRentExemption(165n).send();
    const afterBuy = await chain.lamports(user.address);
    expect(afterBuy).toBe(9n * lamportsPerSol - rent - feePerSignature);

    const sell = await chain.quote(usdc, wrappedSol, BigInt(buy.outAmount));
    await swapNow(user, sell);
    expect(await chain.tokens(user.address, usdc)).toBe(0n);
    expect(await chain.lamports(user.address)).toBe(afterBuy + BigInt(sell.outAmount) - feePerSignature);
  });

  it('go from token to token by way of SOL in one instruction', async () => {
    const user = await chain.fund(10n * lamportsPerSol);
    const [bonk, jitoSol] = [chain.mint('BONK'), chain.mint('JitoSOL')];
    const first = await chain.quote(wrappedSol, bonk, lamportsPerSol);
    await swapNow(user, first);
    const quote = await chain.quote(bonk, jitoSol, BigInt(first.outAmount));
    expect(quote.routePlan).toHaveLength(2);
    await swapNow(user, quote);
    expect(await chain.tokens(user.address, jitoSol)).toBe(BigInt(quote.outAmount));
    expect(await chain.tokens(user.address, bonk)).toBe(0n);
  });

  it('fail on chain with code 6001 once the price has moved below the minimum', async () => {
    const [slow, fast] = [await chain.fund(10n * lamportsPerSol), await chain.fund(500n * lamportsPerSol)];
    const safran = chain.mint('SAFRAN');
    const quote = await chain.quote(wrappedSol, safran, lamportsPerSol, 10);
    const swap = await chain.buildSwap(slow, quote);
    await swapNow(fast, await chain.quote(wrappedSol, safran, 100n * lamportsPerSol));

    const refused = await chain.send(swap.wire);
    expect(refused.error?.code).toBe(-32002);
    expect(refused.error?.message).toContain('custom program error: 0x1771');
    expect(refused.error?.data?.err).toMatchObject({
      InstructionError: [expect.any(Number), { Custom: 6001 }],
    });
    expect(await chain.lamports(slow.address)).toBe(10n * lamportsPerSol);

    // Without preflight it lands, with its error and at the price of its fee.
    expect((await chain.send(swap.wire, { skipPreflight: true })).result).toBe(swap.signature);
    const landed = (): Promise<unknown> =>
      chain
        .call('getTransaction', [
          swap.signature,
          { commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
        ])
        .then(({ result }) => result);
    await expect
      .poll(landed)
      .toMatchObject({ meta: { err: { InstructionError: [expect.any(Number), { Custom: 6001 }] } } });
    expect(await chain.lamports(slow.address)).toBeLessThan(10n * lamportsPerSol);
    expect(await chain.tokens(slow.address, safran)).toBe(0n);
  });

  it('cannot be paid from a vault that is not the pool’s', async () => {
    const thief = await chain.fund(10n * lamportsPerSol);
    const [usdc, safran] = [chain.mint('USDC'), chain.mint('SAFRAN')];
    const [usdcPool, safranPool] = [genesis.pools.get(usdc), genesis.pools.get(safran)];
    if (!usdcPool || !safranPool) throw new Error('Genesis has both pools');
    const [source, destination] = await Promise.all([
      associated(thief.address, wrappedSol),
      associated(thief.address, usdc),
    ]);
    const create = (ata: typeof source, mint: typeof usdc): Instruction =>
      getCreateAssociatedTokenIdempotentInstruction({ payer: thief, ata, owner: thief.address, mint });
    const data = Buffer.alloc(16);
    data.writeBigUInt64LE(lamportsPerSol, 0);
    const writable = (each: string) => ({ address: address(each), role: AccountRole.WRITABLE });
    const readonly = (each: string) => ({ address: address(each), role: AccountRole.READONLY });
    const steal = (pool: typeof usdcPool, vaultIn: string, vaultOut: string): Instruction => ({
      programAddress: genesis.ammProgram,
      accounts: [
        { address: thief.address, role: AccountRole.READONLY_SIGNER },
        writable(source),
        writable(destination),
        readonly(TOKEN_PROGRAM_ADDRESS),
        readonly(pool.address),
        writable(vaultIn),
        writable(vaultOut),
      ],
      data,
    });
    for (const instruction of [
      steal(usdcPool, safranPool.vaultA, usdcPool.vaultB),
      steal(safranPool, safranPool.vaultA, usdcPool.vaultB),
    ]) {
      const { wire } = await chain.sign(
        [thief],
        [
          create(source, wrappedSol),
          getTransferSolInstruction({ source: thief, destination: source, amount: 2n * lamportsPerSol }),
          getSyncNativeInstruction({ account: source }),
          create(destination, usdc),
          instruction,
        ],
      );
      expect((await chain.send(wire)).error?.data?.err).toEqual({ InstructionError: [4, { Custom: 6105 }] });
    }
  });

  it('are refused in Jupiter’s words where there is no market', async () => {
    const quote = async (from: string, to: string, amount = '1000000'): Promise<unknown> =>
      chain.http('GET', `/swap/v1/quote?inputMint=${from}&outputMint=${to}&amount=${amount}`);
    expect(await quote(wrappedSol, genesis.faucet.address)).toMatchObject({
      status: 400,
      body: { errorCode: 'TOKEN_NOT_TRADABLE' },
    });
    expect(await quote(chain.mint('USDC'), wrappedSol, '0')).toMatchObject({
      status: 400,
      body: { errorCode: 'COULD_NOT_FIND_ANY_ROUTE' },
    });
    expect(await quote(wrappedSol, wrappedSol)).toMatchObject({
      status: 400,
      body: { errorCode: 'CIRCULAR_ARBITRAGE_IS_DISABLED' },
    });
    expect(await quote(wrappedSol, 'nonsense')).toMatchObject({ status: 400 });
  });

  it('charge the priority fee that was asked for', async () => {
    const user = await chain.fund(10n * lamportsPerSol);
    const quote = await chain.quote(wrappedSol, chain.mint('KRVN'), lamportsPerSol);
    const priorityLevelWithMaxLamports = { maxLamports: 4000, priorityLevel: 'high' };
    const swap = await chain.buildSwap(user, quote, {
      prioritizationFeeLamports: { priorityLevelWithMaxLamports },
    });
    expect(swap.prioritizationFeeLamports).toBe(4000);
    await chain.send(swap.wire);
    const fee = async (): Promise<number> => {
      const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const { result } = await chain.call('getTransaction', [swap.signature, config]);
      return (result as { meta: { fee: number } } | null)?.meta.fee ?? 0;
    };
    await expect.poll(fee).toBeGreaterThan(8900);
    expect(await fee()).toBeLessThanOrEqual(9000);
  });

  async function swapNow(user: Awaited<ReturnType<Opened['fund']>>, quote: QuoteResponse): Promise<void> {
    const swap = await chain.buildSwap(user, quote, { prioritizationFeeLamports: 0 });
    expect((await chain.send(swap.wire)).result).toBe(swap.signature);
  }
});
