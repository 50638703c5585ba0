import { randomUUID } from 'node:crypto';
import { KervanError, type Chain } from '@kervan/contract';
import { openStates, startOfDay, type TradeLimits } from '@kervan/domain';
import { describe, expect, test, vi } from 'vitest';
import type { Executor, ExecutorDeps } from '../src/engine/executor.ts';
import { setHalted } from '../src/engine/halt.ts';
import {
  attemptsOf,
  chains,
  db,
  makeExecutor,
  makeIntent,
  makeWallet,
  plan,
  running,
  testTakeOvers,
  trade,
  tradeRow,
  userId,
} from './executor-fixture.ts';
import type { TradeIntent } from '../src/engine/intent.ts';
import { LeaseLostError } from '../src/engine/trade-leases.ts';
import { createTradeStore } from '../src/engine/trade-store.ts';
import { uuidv7 } from '../src/lib/ids.ts';

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];

describe.each(CHAINS)('on %s', (chain) => {
  test('invariant 1: no byte is broadcast before the attempt row that holds it is committed', async () => {
    const seen: boolean[] = [];
    chains[chain].beforeBroadcast(async (request) => {
      const row = await db
        .selectFrom('trade_attempts')
        .select('bytes')
        .where('tx_id', '=', request.txId)
        .executeTakeFirst();
      seen.push(row !== undefined && Buffer.compare(row.bytes, Buffer.from(request.bytes)) === 0);
    });
    await trade(makeExecutor(), await makeIntent(chain));
    expect(seen).toEqual([true]);
  });

  test('invariant 6: a trade reports what the landed transaction says', async () => {
    const row = await trade(makeExecutor(), await makeIntent(chain));
    expect(row).toMatchObject({
      state: 'success',
      native_units: 1_000_000n,
      token_units: 42n,
      fee_units: 5_000n,
      tx_id: chains[chain].landed[0]?.txId,
    });
  });

  test('a trade that landed is worth what its native amount was worth then; no price is no worth', async () => {
    const nativePrice = () => Promise.resolve<string | null>('150.25');
    const intent = await makeIntent(chain);
    const row = await trade(makeExecutor({ nativePrice }), intent);
    // The fake chain settles 1,000,000 units: 0.001 SOL, or next to no BNB.
    expect(row).toMatchObject({
      native_price_units: 150_250_000_000_000_000_000n,
      usd_micros: chain === 'solana' ? 150_250n : 0n,
    });
    const unpriced = await trade(makeExecutor(), await makeIntent(chain));
    expect(unpriced).toMatchObject({ native_price_units: null, usd_micros: null });
    chains[chain].script('revert');
    const failed = await trade(makeExecutor({ nativePrice }), await makeIntent(chain));
    expect(failed).toMatchObject({ state: 'failed', native_price_units: null, usd_micros: null });
  });

  test('invariant 4: rebroadcasting sends the same bytes', async () => {
    chains[chain].script('drop', 'drop', 'unreachable', 'land');
    const row = await trade(makeExecutor(), await makeIntent(chain));
    expect(row.state).toBe('success');
    expect(chains[chain].broadcasts).toHaveLength(4);
    expect(new Set(chains[chain].broadcasts.map((each) => each.txId)).size).toBe(1);
    expect(await attemptsOf(row.id)).toHaveLength(1);
  });

  test('invariant 3: an answer that is lost is not a failure', async () => {
    chains[chain].script('lose answer');
    const row = await trade(makeExecutor(), await makeIntent(chain));
    expect(row.state).toBe('success');
    expect(chains[chain].swapsLanded()).toHaveLength(1);
  });

  test('a transaction that fails on chain is a failed trade with its fee and reason', async () => {
    chains[chain].script('revert');
    const row = await trade(makeExecutor(), await makeIntent(chain));
    expect(row).toMatchObject({
      state: 'failed',
      error_code: 'SLIPPAGE_EXCEEDED',
      native_units: null,
      fee_units: 5_000n,
    });
  });

  testTakeOvers(chain, 'swap', () => makeIntent(chain));

  test('asked for twice at once with one key, it is one trade', async () => {
    const executor = makeExecutor();
    const intent = await makeIntent(chain);
    const plans = await Promise.all(Array.from({ length: 8 }, () => plan(executor, intent)));
    expect(new Set(plans.map((each) => each.tradeId)).size).toBe(1);
    expect(plans.filter((each) => each.isNew)).toHaveLength(1);
    await Promise.all(plans.map((each) => executor.drive(each.tradeId)));
    expect(chains[chain].swapsLanded()).toHaveLength(1);
  });

  test('invariant 5: concurrent trades cannot pass a daily limit together', async () => {
    const executor = makeExecutor();
    const wallet = await makeWallet(chain);
    const limits: TradeLimits = { perTradeUnits: null, perWalletDayUnits: 5_500n };
    const intents = await Promise.all(
      Array.from({ length: 16 }, () => makeIntent(chain, { wallet, limits })),
    );
    const results = await Promise.allSettled(intents.map((intent) => plan(executor, intent)));
    expect(results.filter((each) => each.status === 'fulfilled')).toHaveLength(5);
    const refusals = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'LIMIT_PER_WALLET_DAY' });
  });

  test('a limit counts the day’s trades of the address, not yesterday’s, nor by the wallet’s row', async () => {
    const executor = makeExecutor();
    const wallet = await makeWallet(chain);
    const limits: TradeLimits = { perTradeUnits: null, perWalletDayUnits: 1_000n };
    const yesterday = await trade(executor, await makeIntent(chain, { wallet, limits }));
    await db
      .updateTable('trades')
      .set({ planned_at: new Date(startOfDay(new Date()).getTime() - 1) } as never) // never written but here
      .where('id', '=', yesterday.id)
      .execute();
    expect((await trade(executor, await makeIntent(chain, { wallet, limits }))).state).toBe('success');

    await db
      .updateTable('wallets')
      .set({ deleted_at: new Date(), sealed_key: null, wrapped_data_key: null })
      .where('id', '=', wallet.id)
      .execute();
    const again = await makeWallet(chain, wallet.address);
    await expect(plan(executor, await makeIntent(chain, { wallet: again, limits }))).rejects.toMatchObject({
      code: 'LIMIT_PER_WALLET_DAY',
    });
  });

  test('one key asked for at once under a limit is one trade for everybody who asks', async () => {
    const executor = makeExecutor();
    const limits: TradeLimits = { perTradeUnits: null, perWalletDayUnits: 1_000n };
    const intent = await makeIntent(chain, { limits });
    const plans = await Promise.all(Array.from({ length: 6 }, () => plan(executor, intent)));
    expect(new Set(plans.map((each) => each.tradeId)).size).toBe(1);
  });

  test('regression: whatever a token writes into its error, the trade can end', async () => {
    chains[chain].script('revert');
    chains[chain].explainWith({ reason: 'a NUL \0, half a pair \ud83d, and the rest' });
    const row = await trade(makeExecutor(), await makeIntent(chain));
    expect(row.state).toBe('failed');
    expect(row.error_context).toEqual({ reason: 'a NUL , half a pair \ufffd, and the rest' });
  });

  test('a trade goes through the port of its own user, also when it is taken over', async () => {
    // What other tests have left open is nobody's here.
    await db
      .updateTable('trades')
      .set({ lease_owner: uuidv7(), lease_until: new Date(Date.now() + 3_600_000) })
      .where('state', 'in', openStates)
      .execute();
    const asked = new Set<string>();
    const port = vi.fn<ExecutorDeps['port']>((of, _network, user) => {
      asked.add(user);
      return chains[of].port;
    });
    await trade(makeExecutor({ port }), await makeIntent(chain));
    // Planned by a process that is never started, so that its lease runs out.
    const { tradeId } = await plan(makeExecutor({ port }), await makeIntent(chain));
    makeExecutor({ port }).start();
    await expect.poll(async () => (await tradeRow(tradeId)).state, { timeout: 10_000 }).toBe('success');
    expect([...asked]).toEqual([userId]);
  });

  test('a trade whose network this process lacks is left to one that has it', async () => {
    const stranger = makeExecutor({
      port: () => {
        throw new KervanError('NETWORK_UNAVAILABLE', { chain, network: 'sandbox' });
      },
    });
    const stopped = Promise.withResolvers<void>();
    const dead = makeExecutor({
      checkpoint: async (at) => {
        if (at !== 'attempt committed') return;
        stopped.resolve();
        await new Promise(() => {});
      },
    });
    const { tradeId } = await plan(dead, await makeIntent(chain));
    void dead.drive(tradeId);
    running.splice(running.indexOf(dead), 1);
    await stopped.promise;
    stranger.start();
    makeExecutor().start();
    await vi.waitUntil(async () => (await tradeRow(tradeId)).ended_at !== null, { timeout: 10_000 });
    expect(await tradeRow(tradeId)).toMatchObject({ state: 'success' });
    expect(await attemptsOf(tradeId)).toHaveLength(1);
  });

  test('a limit is released by a trade that ends unlanded and kept by one that landed', async () => {
    const executor = makeExecutor();
    const wallet = await makeWallet(chain);
    const limits: TradeLimits = { perTradeUnits: 1_000n, perWalletDayUnits: 1_000n };
    chains[chain].refuse('ROUTE_UNAVAILABLE');
    expect((await trade(executor, await makeIntent(chain, { wallet, limits }))).state).toBe('failed');
    chains[chain].refuse(undefined);
    expect((await trade(executor, await makeIntent(chain, { wallet, limits }))).state).toBe('success');
    await expect(plan(executor, await makeIntent(chain, { wallet, limits }))).rejects.toMatchObject({
      code: 'LIMIT_PER_WALLET_DAY',
    });
    await expect(
      plan(executor, await makeIntent(chain, { limits, limitValueUnits: 1_001n })),
    ).rejects.toMatchObject({ code: 'LIMIT_PER_TRADE' });
  });

  test('after the halt switch has answered, nothing more is signed', async () => {
    const executor = makeExecutor();
    const intents = await Promise.all(Array.from({ length: 30 }, () => makeIntent(chain)));
    const planned = await Promise.all(intents.map((intent) => plan(executor, intent)));
    const driven = planned.map(({ tradeId }) => executor.drive(tradeId));
    await setHalted(db, true);
    const { attempts: atHalt } = await countAttempts();
    const rows = await Promise.all(driven);
    expect((await countAttempts()).attempts).toBe(atHalt);
    for (const row of rows.filter(({ state }) => state !== 'success'))
      expect(row).toMatchObject({ state: 'cancelled', error_code: 'TRADING_HALTED', tx_id: null });
    await expect(plan(executor, await makeIntent(chain))).rejects.toMatchObject({ code: 'TRADING_HALTED' });
  });

  test('what cannot be tried is cancelled; what the chain refuses has failed', async () => {
    const executor = makeExecutor();
    chains[chain].refuse('BALANCE_INSUFFICIENT');
    expect((await trade(executor, await makeIntent(chain))).state).toBe('cancelled');
    chains[chain].refuse('SIMULATION_FAILED');
    expect((await trade(executor, await makeIntent(chain))).state).toBe('failed');
    expect(chains[chain].broadcasts).toEqual([]);
  });

  test('a node that is away for a while is waited for, one that stays away cancels the trade', async () => {
    chains[chain].refuse('NETWORK_UNREACHABLE');
    const patient = makeExecutor();
    const { tradeId } = await plan(patient, await makeIntent(chain));
    const driving = patient.drive(tradeId);
    chains[chain].refuse(undefined);
    expect((await driving).state).toBe('success');

    chains[chain].refuse('NETWORK_UNREACHABLE');
    const hasty = makeExecutor({ timing: { planTimeoutMs: 100 } });
    expect(await trade(hasty, await makeIntent(chain))).toMatchObject({
      state: 'cancelled',
      error_code: 'NETWORK_UNREACHABLE',
    });
  });

  test('no trade is executed before it was made, although blocks know whole seconds only', async () => {
    const executor = makeExecutor();
    const row = await trade(executor, await makeIntent(chain));
    expect(row.state).toBe('success');
    expect(row.executed_at?.getTime()).toBeGreaterThanOrEqual(row.planned_at.getTime());
  });

  test('no trade is planned with a deleted wallet', async () => {
    const executor = makeExecutor();
    const intent = await makeIntent(chain);
    await db
      .updateTable('wallets')
      .set({ deleted_at: new Date(), sealed_key: null, wrapped_data_key: null })
      .where('id', '=', intent.wallet.id)
      .execute();
    await expect(plan(executor, intent)).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' });
  });

  test('what its source writes when a trade ends is written once, even if the first try fails', async () => {
    let calls = 0;
    let told = 0;
    const executor = makeExecutor({
      listeners: {
        bot: {
          async ended(trx, row) {
            calls += 1;
            await trx
              .insertInto('idempotent_requests')
              .values({
                user_id: userId,
                key: row.id,
                request_hash: Buffer.from('-'),
                status: 200,
                answer: '{}',
              })
              .execute();
            if (calls === 1) throw new Error('the database went away');
            return () => {
              told += 1;
            };
          },
        },
      },
    });
    const row = await trade(executor, await makeIntent(chain));
    expect(row.state).toBe('success');
    expect({ calls, told }).toEqual({ calls: 2, told: 1 });
    expect(chains[chain].swapsLanded()).toHaveLength(1);
  });

  describe('prepared while it is planned', () => {
    async function planAhead(executor: Executor, intent: TradeIntent) {
      return await db
        .transaction()
        .execute(async (trx) => await executor.plan(trx, intent, { prepareAhead: true }));
    }

    test('a trade is prepared once', async () => {
      const prepareSwap = vi.spyOn(chains[chain].port, 'prepareSwap');
      const executor = makeExecutor();
      const { tradeId, trade: planned } = await planAhead(executor, await makeIntent(chain));
      expect((await executor.drive(tradeId, planned)).state).toBe('success');
      expect(prepareSwap).toHaveBeenCalledOnce();
    });

    test('a trade is prepared again when driven if that failed', async () => {
      const prepareSwap = vi.spyOn(chains[chain].port, 'prepareSwap');
      prepareSwap.mockRejectedValueOnce(new Error('too late'));
      const executor = makeExecutor();
      const { tradeId, trade: planned } = await planAhead(executor, await makeIntent(chain));
      expect((await executor.drive(tradeId, planned)).state).toBe('success');
      expect(prepareSwap).toHaveBeenCalledTimes(2);
    });

    test('a trade that is not planned after all leaves nothing behind', async () => {
      const executor = makeExecutor();
      const intent = await makeIntent(chain);
      const planning = db.transaction().execute(async (trx) => {
        await executor.plan(trx, intent, { prepareAhead: true });
        throw new Error('the commit failed');
      });
      await expect(planning).rejects.toThrow('the commit failed');
      expect(chains[chain].broadcasts).toEqual([]);
      expect((await trade(executor, intent)).state).toBe('success');
      expect(chains[chain].swapsLanded()).toHaveLength(1);
    });
  });

  test('whoever does not hold the lease writes nothing of an end: neither trade nor attempts nor lane', async () => {
    const reached = Promise.withResolvers<string>();
    const wake = Promise.withResolvers<void>();
    const executor = makeExecutor({
      async checkpoint(at, id) {
        if (at !== 'outcome known') return;
        reached.resolve(id);
        await wake.promise;
      },
    });
    const driving = trade(executor, await makeIntent(chain));
    const tradeId = await reached.promise;
    const stand = async () => ({
      trade: await tradeRow(tradeId),
      attempts: await attemptsOf(tradeId),
      lanes: await db.selectFrom('nonce_lanes').selectAll().where('trade_id', '=', tradeId).execute(),
    });
    const before = await stand();

    const stranger = createTradeStore(db, randomUUID());
    const fates = before.attempts.map(({ id }) => ({
      attemptId: id,
      state: 'dead' as const,
      settlement: null,
    }));
    const end = { state: 'failed', txId: null, settlement: null, error: null } as const;
    const ending = { trade: before.trade, fates, end, priceUnits: null, sentAt: null };
    await expect(stranger.end(ending, undefined)).rejects.toBeInstanceOf(LeaseLostError);
    // A heartbeat may have gone by.
    expect(await stand()).toEqual({
      ...before,
      trade: { ...before.trade, lease_until: expect.any(Date) as unknown },
    });

    wake.resolve();
    expect((await driving).state).toBe('success');
  });

  async function countAttempts() {
    return await db
      .selectFrom('trade_attempts')
      .innerJoin('trades', 'trades.id', 'trade_attempts.trade_id')
      .select(({ fn }) => fn.countAll<bigint>().as('attempts'))
      .where('trades.user_id', '=', userId)
      .executeTakeFirstOrThrow();
  }
});

test('regression: a network that is gone after the signature is waited for, not asked without a pause', async () => {
  let isGone = false;
  let asked = 0;
  const executor = makeExecutor({
    port: (chain) => {
      if (!isGone) return chains[chain].port;
      asked += 1;
      throw new KervanError('NETWORK_MISMATCH', { expected: 'one', actual: 'another' });
    },
    checkpoint: (at) => {
      if (at === 'attempt committed') isGone = true;
    },
  });
  const driving = trade(executor, await makeIntent('solana'));
  await expect.poll(() => asked).toBeGreaterThan(0);
  const { id } = await db
    .selectFrom('trades')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'signed')
    .where('lease_owner', 'is', null)
    .executeTakeFirstOrThrow();
  expect(asked).toBeLessThan(5);
  isGone = false;
  // Given up, so that any process that has the network may take it over: here it is this one.
  executor.start();
  expect((await driving).state).toBe('success');
  expect((await tradeRow(id)).state).toBe('success');
});

test('regression: those who plan the same lanes in another order do not wait for each other', async () => {
  const wallets = await Promise.all(Array.from({ length: 30 }, () => makeWallet('bsc')));
  const executor = makeExecutor();
  for (let round = 0; round < 8; round++) {
    const intents = await Promise.all(wallets.map((wallet) => makeIntent('bsc', { wallet })));
    const others = await Promise.all(wallets.map((wallet) => makeIntent('bsc', { wallet })));
    const planAll = (wishes: TradeIntent[]) =>
      db.transaction().execute((trx) => executor.planMany(trx, wishes));
    const planned = await Promise.all([planAll(intents), planAll(others.toReversed())]);
    expect(planned.flat().filter((result) => 'tradeId' in result)).toHaveLength(2 * wallets.length);
    await db.deleteFrom('nonce_lanes').execute();
  }
});

test('invariant 2 on Solana: another attempt is made only when the earlier one has expired', async () => {
  chains.solana.script('drop');
  const executor = makeExecutor();
  const { tradeId } = await plan(executor, await makeIntent('solana'));
  const driving = executor.drive(tradeId);
  await vi.waitUntil(() => chains.solana.broadcasts.length >= 3, 10_000);
  expect(await attemptsOf(tradeId)).toHaveLength(1);
  chains.solana.script('land');
  chains.solana.expireBlockhashes();
  const row = await driving;
  expect(row.state).toBe('success');
  const attempts = await attemptsOf(tradeId);
  expect(attempts.map((attempt) => attempt.state)).toEqual(['dead', 'landed']);
  expect(chains.solana.swapsLanded()).toHaveLength(1);
});

test('a trade that only ever expires is given up, and says so', async () => {
  chains.solana.script('drop');
  const executor = makeExecutor({ timing: { planTimeoutMs: 400 } });
  const { tradeId } = await plan(executor, await makeIntent('solana'));
  const driving = executor.drive(tradeId);
  const expiring = setInterval(() => chains.solana.expireBlockhashes(), 30);
  const row = await driving;
  clearInterval(expiring);
  expect(row).toMatchObject({ state: 'failed', error_code: 'TRANSACTION_EXPIRED' });
  expect(chains.solana.swapsLanded()).toEqual([]);
});

test('invariant 2 on BSC: a nonce that went elsewhere kills the attempt, and a new one is made', async () => {
  chains.bsc.script('drop');
  const executor = makeExecutor();
  const intent = await makeIntent('bsc');
  const { tradeId } = await plan(executor, intent);
  const driving = executor.drive(tradeId);
  await vi.waitUntil(() => chains.bsc.broadcasts.length >= 2, 10_000);
  chains.bsc.script('land');
  chains.bsc.useNonce(intent.wallet.address);
  expect((await driving).state).toBe('success');
  expect((await attemptsOf(tradeId)).map((attempt) => [attempt.state, attempt.nonce])).toEqual([
    ['dead', 0n],
    ['landed', 1n],
  ]);
});

test('a stuck BSC transaction is replaced with the same nonce, and only one of them lands', async () => {
  chains.bsc.script('drop');
  const executor = makeExecutor({ timing: { replaceAfterMs: 60 } });
  const { tradeId } = await plan(executor, await makeIntent('bsc'));
  const driving = executor.drive(tradeId);
  await vi.waitUntil(async () => (await attemptsOf(tradeId)).length >= 3, { timeout: 5_000 });
  chains.bsc.script('land');
  const row = await driving;
  expect(row.state).toBe('success');
  const attempts = await attemptsOf(tradeId);
  expect(new Set(attempts.map((attempt) => attempt.nonce))).toEqual(new Set([0n]));
  expect(attempts.filter((attempt) => attempt.state === 'landed')).toHaveLength(1);
  expect(chains.bsc.swapsLanded()).toHaveLength(1);
  const [first, second] = attempts;
  expect(second?.gas_price_units).toBeGreaterThanOrEqual(((first?.gas_price_units ?? 0n) * 11n) / 10n);
});

test('a BSC transaction stuck for too long is cancelled by its own nonce', async () => {
  chains.bsc.script('drop');
  const executor = makeExecutor({ timing: { replaceAfterMs: 30, cancelAfterMs: 90 } });
  const { tradeId } = await plan(executor, await makeIntent('bsc'));
  const driving = executor.drive(tradeId);
  await vi.waitUntil(async () => (await attemptsOf(tradeId)).some((each) => each.purpose === 'cancel'), {
    timeout: 5_000,
  });
  chains.bsc.script('land');
  expect(await driving).toMatchObject({
    state: 'failed',
    error_code: 'TRANSACTION_EXPIRED',
    fee_units: 5_000n,
  });
  expect(chains.bsc.swapsLanded()).toEqual([]);
});

test('many trades of one BSC wallet at once use each nonce once, in order, without a gap', async () => {
  const executors = [makeExecutor(), makeExecutor()];
  chains.bsc.script('land', 'drop', 'lose answer', 'land', 'unreachable', 'land');
  const wallet = await makeWallet('bsc');
  const rows = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const executor = executors[index % 2];
      if (!executor) throw new Error('unreachable');
      executor.start();
      return await trade(executor, await makeIntent('bsc', { wallet }));
    }),
  );
  expect(rows.every((row) => row.state === 'success')).toBe(true);
  const attempts = (await Promise.all(rows.map((row) => attemptsOf(row.id)))).flat();
  // One that took long was replaced by another with the same nonce: of these one alone landed.
  const nonces = attempts.flatMap(({ nonce, state }) =>
    state === 'landed' && nonce !== null ? [nonce] : [],
  );
  expect(nonces.toSorted((a, b) => Number(a - b))).toEqual(
    Array.from({ length: 20 }, (_, index) => BigInt(index)),
  );
});

test('regression: a nonce the chain has moved past never jams the wallet (relayers’ nonce drift)', async () => {
  const executor = makeExecutor();
  const wallet = await makeWallet('bsc');
  await trade(executor, await makeIntent('bsc', { wallet }));
  chains.bsc.useNonce(wallet.address);
  chains.bsc.useNonce(wallet.address);
  expect((await trade(executor, await makeIntent('bsc', { wallet }))).state).toBe('success');
});

test('an approval comes first, its fee is part of the trade, and the swap still lands once', async () => {
  chains.bsc.needApprovals(1);
  const row = await trade(makeExecutor(), await makeIntent('bsc', { action: 'sell' }));
  expect(row).toMatchObject({ state: 'success', fee_units: 10_000n });
  expect(
    (await attemptsOf(row.id)).map((attempt) => [attempt.purpose, attempt.nonce, attempt.state]),
  ).toEqual([
    ['approval', 0n, 'landed'],
    ['swap', 1n, 'landed'],
  ]);
});

test('regression: a process that slept through its lease leaves no lane taken behind it', async () => {
  const wallet = await makeWallet('bsc');
  // The other trade has the lane from its planning on.
  const other = await plan(makeExecutor(), await makeIntent('bsc', { wallet }));
  const sleeper = makeExecutor();
  const { tradeId } = await plan(sleeper, await makeIntent('bsc', { wallet }));
  const sleeping = sleeper.drive(tradeId);

  // Meanwhile its lease has run out, and another process has ended the trade.
  await db
    .updateTable('trades')
    .set({ state: 'cancelled', ended_at: new Date(), lease_owner: null, lease_until: null })
    .where('id', '=', tradeId)
    .execute();
  await db.deleteFrom('nonce_lanes').where('trade_id', '=', other.tradeId).execute();
  expect((await sleeping).state).toBe('cancelled');
  const lanes = await db
    .selectFrom('nonce_lanes')
    .selectAll()
    .where('address', '=', wallet.address)
    .execute();
  expect(lanes).toEqual([]);
});

test('a lane whose trade has ended all the same is taken over', async () => {
  const executor = makeExecutor();
  const wallet = await makeWallet('bsc');
  const ended = await trade(executor, await makeIntent('bsc', { wallet }));
  await db
    .insertInto('nonce_lanes')
    .values({ network: 'sandbox', address: wallet.address, trade_id: ended.id })
    .execute();
  expect((await trade(executor, await makeIntent('bsc', { wallet }))).state).toBe('success');
});

test('a token whose approvals change nothing is given up after two of them', async () => {
  chains.bsc.needApprovals(1_000);
  const row = await trade(makeExecutor(), await makeIntent('bsc', { action: 'sell' }));
  expect(row).toMatchObject({ state: 'failed', error_code: 'TRANSFER_FAILED', fee_units: 10_000n });
});

test('of two same-nonce attempts, one dead says nothing yet about the other, which a slow node still hides', async () => {
  chains.bsc.script('drop');
  const executor = makeExecutor({ timing: { replaceAfterMs: 60 } });
  const { tradeId } = await plan(executor, await makeIntent('bsc'));
  const driving = executor.drive(tradeId);
  await vi.waitUntil(async () => (await attemptsOf(tradeId)).length >= 2, { timeout: 5_000 });
  chains.bsc.hideLandings(12);
  chains.bsc.script('lose answer');
  expect((await driving).state).toBe('success');
  expect(chains.bsc.swapsLanded()).toHaveLength(1);
});

test('a vault that stays locked cancels the trade and sends nothing', async () => {
  const executor = makeExecutor({ readKey: () => Promise.reject(new KervanError('VAULT_LOCKED')) });
  expect(await trade(executor, await makeIntent('solana'))).toMatchObject({
    state: 'cancelled',
    error_code: 'VAULT_LOCKED',
  });
  expect(chains.solana.broadcasts).toEqual([]);
});
