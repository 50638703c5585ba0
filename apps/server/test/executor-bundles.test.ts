import { KervanError } from '@kervan/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Checkpoint } from '../src/engine/drive-context.ts';
import type { Executor } from '../src/engine/executor.ts';
import { setHalted } from '../src/engine/halt.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import {
  attemptsOf,
  chains,
  db,
  makeExecutor,
  makeIntent,
  makeWallet,
  running,
  stoppingAt,
} from './executor-fixture.ts';
import type { SendFate } from './fake-chain.ts';

const LEGS = 5;

beforeEach(() => chains.solana.offerBundles());

/** Trades of so many wallets that land together. */
async function planBundle(executor: Executor, count = LEGS) {
  const bundleId = uuidv7();
  const wallets = await Promise.all(Array.from({ length: count }, () => makeWallet('solana')));
  const intents = await Promise.all(wallets.map((wallet) => makeIntent('solana', { bundleId, wallet })));
  const results = await db.transaction().execute((trx) => executor.planMany(trx, intents));
  const planned = results.flatMap((result) => ('trade' in result && result.trade ? [result.trade] : []));
  return { wallets, planned, tradeIds: planned.map(({ id }) => id) };
}

async function tradeBundle(executor: Executor, count = LEGS) {
  const { planned } = await planBundle(executor, count);
  return await Promise.all(planned.map((trade) => executor.drive(trade.id, trade)));
}

const rowsOf = (tradeIds: readonly string[]) =>
  db.selectFrom('trades').selectAll().where('id', 'in', tradeIds).orderBy('id').execute();

async function endedRows(tradeIds: readonly string[]) {
  return await vi.waitUntil(
    async () => {
      const rows = await rowsOf(tradeIds);
      return rows.every(({ ended_at }) => ended_at !== null) && rows;
    },
    { timeout: 10_000 },
  );
}

const statesOf = (rows: readonly { readonly state: string }[]) => rows.map(({ state }) => state);
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test('trades of a bundle are sent as one and land in one height, each with its own figures', async () => {
  const rows = await tradeBundle(makeExecutor());
  expect(statesOf(rows)).toEqual(times(LEGS, 'success'));
  expect(rows[0]).toMatchObject({ native_units: 1_000_000n, token_units: 42n, fee_units: 5_000n });
  expect(chains.solana.bundleSends).toHaveLength(1);
  expect(new Set(chains.solana.bundleSends[0])).toEqual(new Set(rows.map(({ tx_id }) => tx_id)));
  expect(chains.solana.broadcasts).toEqual([]);
});

test('no byte of a bundle is sent before every one of its attempts is committed', async () => {
  const committed: number[] = [];
  chains.solana.beforeBroadcast(async () => {
    const rows = await db.selectFrom('trade_attempts').select('id').where('state', '=', 'live').execute();
    committed.push(rows.length);
  });
  await tradeBundle(makeExecutor());
  expect(committed).toEqual(times(LEGS, LEGS));
});

test('the same bundle is sent again until it lands, and never a leg of it alone', async () => {
  chains.solana.script('drop', 'revert', 'unreachable', 'land');
  const rows = await tradeBundle(makeExecutor());
  expect(statesOf(rows)).toEqual(times(LEGS, 'success'));
  expect(chains.solana.bundleSends).toHaveLength(4);
  expect(new Set(chains.solana.bundleSends.map((ids) => ids.join())).size).toBe(1);
  expect(chains.solana.broadcasts).toEqual([]);
  expect(await attemptsOf(rows[0]?.id ?? '')).toHaveLength(1);
});

const checkpoints: Checkpoint[] = [
  'prepared',
  'signed',
  'attempt committed',
  'broadcast',
  'outcome known',
  'trade ended',
];
const fates: SendFate[] = ['land', 'lose answer', 'drop'];
for (const checkpoint of checkpoints) {
  for (const fate of fates) {
    // A bundle that never arrives gives the first process no outcome to stop at.
    if (fate === 'drop' && (checkpoint === 'outcome known' || checkpoint === 'trade ended')) continue;
    test(`stopped at "${checkpoint}" when the bundle would ${fate}: another process finishes it, each wallet once`, async () => {
      chains.solana.script(fate, 'land');
      const { first, stopped, wake } = stoppingAt(checkpoint);
      const { tradeIds } = await planBundle(first);
      const zombies = tradeIds.map((tradeId) => first.drive(tradeId));
      await stopped.promise;

      makeExecutor().start();
      const rows = await endedRows(tradeIds);
      wake.resolve();
      expect(statesOf(await Promise.all(zombies))).toEqual(times(LEGS, 'success'));

      expect(statesOf(rows)).toEqual(times(LEGS, 'success'));
      expect(chains.solana.swapsLanded()).toHaveLength(LEGS);
      expect(new Set(chains.solana.swapsLanded().map(({ txId }) => txId))).toEqual(
        new Set(rows.map(({ tx_id }) => tx_id)),
      );
      expect(new Set(chains.solana.landed.map(({ outcome }) => outcome.settlement.height)).size).toBe(1);
      expect(chains.solana.broadcasts).toEqual([]);
      const attempts = (await Promise.all(tradeIds.map(attemptsOf))).flat();
      expect(attempts.map(({ state }) => state)).toEqual(times(LEGS, 'landed'));
    });
  }
}

test('a bundle is taken over whole: not while one of its leases still holds', async () => {
  const dead = makeExecutor();
  const { tradeIds } = await planBundle(dead, 3);
  const [held] = tradeIds;
  await db
    .updateTable('trades')
    .set({ lease_until: new Date(Date.now() + 600_000) })
    .where('id', '=', held ?? '')
    .execute();
  const heir = makeExecutor();
  heir.start();
  // Several heartbeats pass: this one drives a trade of its own meanwhile, whose lease runs out again and again.
  const other = await planBundle(makeExecutor(), 2);
  await endedRows(other.tradeIds);
  expect(statesOf(await rowsOf(tradeIds))).toEqual(times(3, 'planned'));
  await db
    .updateTable('trades')
    .set({ lease_until: new Date(0) })
    .where('id', '=', held ?? '')
    .execute();
  expect(statesOf(await endedRows(tradeIds))).toEqual(times(3, 'success'));
  expect(new Set(chains.solana.landed.map(({ outcome }) => outcome.settlement.height)).size).toBe(1);
});

test('a bundle that expired is made anew, all legs with one new lifetime', async () => {
  chains.solana.script('drop');
  const executor = makeExecutor();
  const { planned, tradeIds } = await planBundle(executor);
  const driving = planned.map((trade) => executor.drive(trade.id, trade));
  await vi.waitUntil(() => chains.solana.bundleSends.length > 1, 10_000);
  chains.solana.script('land');
  chains.solana.expireBlockhashes();
  expect(statesOf(await Promise.all(driving))).toEqual(times(LEGS, 'success'));
  for (const attempts of await Promise.all(tradeIds.map(attemptsOf)))
    expect(attempts.map(({ state }) => state)).toEqual(['dead', 'landed']);
  expect(chains.solana.swapsLanded()).toHaveLength(LEGS);
});

test('a bundle that never lands fails with all its legs, and each says so', async () => {
  // As a block engine does with a bundle one leg of which fails.
  chains.solana.script('revert');
  const executor = makeExecutor({ checkpoint: () => chains.solana.expireBlockhashes() });
  const rows = await tradeBundle(executor);
  expect(statesOf(rows)).toEqual(times(LEGS, 'failed'));
  expect(rows.map(({ error_code }) => error_code)).toEqual(times(LEGS, 'BUNDLE_NOT_LANDED'));
  expect(chains.solana.landed).toEqual([]);
});

test('a leg that the chain would refuse ends with its reason, and the others land together', async () => {
  const executor = makeExecutor();
  const { planned, wallets } = await planBundle(executor);
  chains.solana.refuseOwner(wallets[1]?.address ?? '', 'BALANCE_INSUFFICIENT');
  chains.solana.refuseOwner(wallets[4]?.address ?? '', 'TRANSFER_FAILED');
  const rows = await Promise.all(planned.map((trade) => executor.drive(trade.id, trade)));
  const ends = new Map(rows.map((row) => [row.wallet_address, `${row.state} ${row.error_code}`]));
  expect(wallets.map(({ address }) => ends.get(address))).toEqual([
    'success null',
    'cancelled BALANCE_INSUFFICIENT',
    'success null',
    'success null',
    'failed TRANSFER_FAILED',
  ]);
  expect(chains.solana.bundleSends.map((ids) => ids.length)).toEqual([3]);
});

test('a lone leg goes out as an ordinary transaction', async () => {
  const rows = await tradeBundle(makeExecutor(), 1);
  expect(rows[0]).toMatchObject({ state: 'success', bundle_id: null });
  expect(chains.solana.bundleSends).toEqual([]);
});

test('where the block engine can’t be asked, every trade goes its own way', async () => {
  chains.solana.offerBundles({ isAway: true });
  const rows = await tradeBundle(makeExecutor());
  expect(statesOf(rows)).toEqual(times(LEGS, 'success'));
  expect(rows.map(({ bundle_id }) => bundle_id)).toEqual(times(LEGS, null));
  expect(chains.solana.bundleSends).toEqual([]);
  expect(chains.solana.broadcasts).toHaveLength(LEGS);
});

test('a bundle whose block engine goes away is sent by nobody else, and goes its own ways only once it is dead', async () => {
  chains.solana.script('unreachable');
  const executor = makeExecutor();
  const { planned } = await planBundle(executor);
  const driving = planned.map((trade) => executor.drive(trade.id, trade));
  await vi.waitUntil(() => chains.solana.bundleSends.length > 1, 10_000);
  expect(chains.solana.broadcasts).toEqual([]);
  chains.solana.offerBundles({ isAway: true });
  chains.solana.script('land');
  chains.solana.expireBlockhashes();
  expect(statesOf(await Promise.all(driving))).toEqual(times(LEGS, 'success'));
  expect(chains.solana.swapsLanded()).toHaveLength(LEGS);
});

test('of a bundle that did not land whole, what landed is a success and the rest is tried again, never sent alone', async () => {
  chains.solana.script('drop');
  const executor = makeExecutor();
  const { planned } = await planBundle(executor, 3);
  const driving = planned.map((trade) => executor.drive(trade.id, trade));
  await vi.waitUntil(() => chains.solana.bundleSends.length > 0, 10_000);
  // Somebody who saw the bundle has put one leg of it into a block.
  const [leg] = chains.solana.bundleSends[0] ?? [];
  chains.solana.landAlone(leg ?? '');
  chains.solana.expireBlockhashes();
  chains.solana.script('land');
  expect(statesOf(await Promise.all(driving))).toEqual(times(3, 'success'));
  expect(chains.solana.swapsLanded()).toHaveLength(3);
  expect(chains.solana.bundleSends.at(-1)).toHaveLength(2);
  expect(chains.solana.broadcasts).toEqual([]);
});

test('halted before it is signed, nothing of a bundle is committed', async () => {
  const executor = makeExecutor({
    checkpoint: async (at) => {
      if (at === 'signed') await setHalted(db, true);
    },
  });
  const rows = await tradeBundle(executor);
  expect(rows.map(({ state, error_code }) => `${state} ${error_code}`)).toEqual(
    times(LEGS, 'cancelled TRADING_HALTED'),
  );
  expect(chains.solana.bundleSends).toEqual([]);
});

test('a bundle whose network this process lacks is left whole to one that has it', async () => {
  const stranger = makeExecutor({
    port: () => {
      throw new KervanError('NETWORK_UNAVAILABLE', { chain: 'solana', network: 'sandbox' });
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
  running.splice(running.indexOf(dead), 1);
  const { tradeIds } = await planBundle(dead);
  for (const tradeId of tradeIds) void dead.drive(tradeId);
  await stopped.promise;
  stranger.start();
  makeExecutor().start();
  expect(statesOf(await endedRows(tradeIds))).toEqual(times(LEGS, 'success'));
  expect(chains.solana.bundleSends).toHaveLength(1);
});
