import { KervanError } from '@kervan/contract';
import { NO_LIMITS, type TradeLimits } from '@kervan/domain';
import { describe, expect, test, vi } from 'vitest';
import type { Checkpoint, SigningKey } from '../src/engine/drive-context.ts';
import { uuidv7 } from '../src/lib/ids.ts';
import {
  attemptsOf,
  chains,
  lanesOf,
  makeExecutor,
  makeIntent,
  plan,
  trade,
  tradeRow,
} from './executor-fixture.ts';
import type { SendFate } from './fake-chain.ts';

// A pasted key is in the memory of the process that was given it, and nowhere else: whoever takes its trade over has
// the signed bytes and no key.

const noKey = (): Promise<SigningKey> => Promise.reject(new KervanError('PASTED_KEY_GONE'));

async function pastedIntent(limits: TradeLimits = NO_LIMITS, address = `pasted-${uuidv7()}`) {
  return await makeIntent('bsc', { wallet: { id: null, name: address, address }, limits });
}

/** Plans with an executor that stops for good at a checkpoint, and lets one without the key take the trade over. */
async function takenOver(checkpoint: Checkpoint, times = 1) {
  const stopped = Promise.withResolvers<void>();
  const wake = Promise.withResolvers<void>();
  let passed = 0;
  const first = makeExecutor({
    checkpoint: async (at) => {
      if (at !== checkpoint || ++passed !== times) return;
      stopped.resolve();
      await wake.promise;
    },
  });
  const { tradeId } = await plan(first, await pastedIntent());
  const zombie = first.drive(tradeId);
  await stopped.promise;
  const second = makeExecutor({ readKey: noKey, timing: { replaceAfterMs: 60 } });
  second.start();
  return { tradeId, zombie, wake: wake.resolve };
}

async function ended(tradeId: string) {
  return await vi.waitUntil(
    async () => {
      const row = await tradeRow(tradeId);
      return row.ended_at !== null && row;
    },
    { timeout: 10_000 },
  );
}

describe.each<Checkpoint>(['prepared', 'signed'])('stopped at "%s", before anything was committed', (at) => {
  test('the trade is called off, and says that its key is gone', async () => {
    const { tradeId, zombie, wake } = await takenOver(at);
    expect(await ended(tradeId)).toMatchObject({ state: 'cancelled', error_code: 'PASTED_KEY_GONE' });
    wake();
    expect((await zombie).state).toBe('cancelled');
    expect(chains.bsc.broadcasts).toEqual([]);
    expect(await attemptsOf(tradeId)).toEqual([]);
    expect(await lanesOf(tradeId)).toEqual([]);
  });
});

const fates: SendFate[] = ['land', 'lose answer', 'drop', 'revert'];
describe.each<Checkpoint>(['attempt committed', 'broadcast', 'outcome known', 'trade ended'])(
  'stopped at "%s", with signed bytes in the journal',
  (at) => {
    test.each(fates)('when the send would %s: it is finished by the bytes alone, once', async (fate) => {
      // A send that never arrives gives the first process no outcome to stop at.
      if (fate === 'drop' && (at === 'outcome known' || at === 'trade ended')) return;
      chains.bsc.script(fate, 'land');
      const { tradeId, zombie, wake } = await takenOver(at);
      const row = await ended(tradeId);
      wake();
      expect((await zombie).state).toBe(row.state);
      const landed = chains.bsc.swapsLanded();
      expect(landed).toHaveLength(1);
      expect(row.tx_id).toBe(landed[0]?.txId);
      expect(row.state).toBe(landed[0]?.outcome.kind === 'success' ? 'success' : 'failed');
      expect(await attemptsOf(tradeId)).toHaveLength(1);
      expect(await lanesOf(tradeId)).toEqual([]);
    });
  },
);

test('approved and not yet swapped: the approval is settled, then the trade says that its key is gone', async () => {
  chains.bsc.needApprovals(1);
  const { tradeId, wake } = await takenOver('prepared', 2);
  const row = await ended(tradeId);
  wake();
  expect(row).toMatchObject({ state: 'cancelled', error_code: 'PASTED_KEY_GONE', fee_units: 5_000n });
  expect((await attemptsOf(tradeId)).map(({ purpose, state }) => [purpose, state])).toEqual([
    ['approval', 'landed'],
  ]);
});

test('stuck, and nobody can pay more for it: the same bytes are sent until they land', async () => {
  chains.bsc.script('drop');
  const { tradeId, wake } = await takenOver('attempt committed');
  await vi.waitUntil(() => chains.bsc.broadcasts.length >= 6, { timeout: 10_000 });
  chains.bsc.script('land');
  expect((await ended(tradeId)).state).toBe('success');
  wake();
  expect(new Set(chains.bsc.broadcasts.map(({ txId }) => txId)).size).toBe(1);
  expect(await attemptsOf(tradeId)).toHaveLength(1);
});

test('a process that no longer drives a trade is told so, whoever ended it', async () => {
  const driven: string[] = [];
  const onDriven = (tradeId: string) => void driven.push(tradeId);
  const { id } = await trade(makeExecutor({ onDriven }), await pastedIntent());
  expect(driven).toEqual([id]);

  const stopping = makeExecutor({ onDriven });
  chains.bsc.script('drop');
  const open = await plan(stopping, await pastedIntent());
  const driving = stopping.drive(open.tradeId);
  await vi.waitUntil(() => chains.bsc.broadcasts.length >= 2, 10_000);
  await Promise.all([stopping.stop(), expect(driving).rejects.toThrow('stopping')]);
  expect(driven).toEqual([id, open.tradeId]);
});

test('a limit counts the address, whose key is stored nowhere', async () => {
  const executor = makeExecutor();
  const limits: TradeLimits = { perTradeUnits: null, perWalletDayUnits: 5_500n };
  const address = `pasted-${uuidv7()}`;
  const intents = await Promise.all(Array.from({ length: 16 }, () => pastedIntent(limits, address)));
  const results = await Promise.allSettled(intents.map((intent) => plan(executor, intent)));
  expect(results.filter((each) => each.status === 'fulfilled')).toHaveLength(5);
});
