import { KervanError } from '@kervan/contract';
import { getBase58Decoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AttemptRef } from '../port.ts';
import { createRpc } from './rpc.ts';
import { createSignatureWatcher } from './signature-watcher.ts';
import type { SlotFollower } from './slot-feed.ts';

const attempt: AttemptRef = {
  txId: getBase58Decoder().decode(new Uint8Array(64).fill(7)),
  owner: 'wallet',
  action: 'buy',
  tokenAddress: 'mint',
  expiry: { kind: 'block-height', lastValidBlockHeight: 1_000n },
};
const landed = {
  slot: 900,
  blockTime: 1_795_000_000,
  transaction: { message: { accountKeys: ['wallet'] }, signatures: [attempt.txId] },
  meta: { err: null, fee: 5_000, preBalances: [10_000], postBalances: [5_000], logMessages: [] },
  version: 0,
};
const confirmed = {
  context: { slot: 1 },
  value: [{ slot: 900, confirmationStatus: 'confirmed', err: null }],
};
const unknown = { context: { slot: 1 }, value: [null] };

type Answer = (method: string, call: number) => unknown;

function watcherOf(answer: Answer, followSlots?: SlotFollower, pollMs = 1) {
  let calls = 0;
  const rpc = createRpc({
    url: new URL('http://node.example'),
    service: 'Solana test',
    http: async (_url, init) => {
      const method = typeof init.body === 'string' ? (/"method":"(\w+)"/.exec(init.body)?.[1] ?? '') : '';
      calls += 1;
      return {
        status: 200,
        text: JSON.stringify({ jsonrpc: '2.0', id: '1', result: answer(method, calls) }),
      };
    },
  });
  return { watcher: createSignatureWatcher({ rpc, followSlots, pollMs }), calls: () => calls };
}

const never = (): AbortSignal => new AbortController().signal;

describe('createSignatureWatcher', () => {
  it('goes on through a node that fails at anything', async () => {
    const { watcher } = watcherOf((method, call) => {
      if ([1, 2, 4, 5].includes(call)) throw new Error('node away');
      return method === 'getTransaction' ? landed : confirmed;
    });
    expect(await watcher.watch(attempt, never())).toMatchObject({ kind: 'success' });
  });

  it('waits for a transaction that the node confirms before it can show it', async () => {
    const { watcher } = watcherOf((method, call) => {
      if (method === 'getTransaction') return call > 8 ? landed : null;
      return confirmed;
    });
    expect(await watcher.watch(attempt, never())).toMatchObject({ kind: 'success' });
  });

  it('looks again at once when a slot came while it was looking', async () => {
    let onSlot = (): void => undefined;
    const follow: SlotFollower = (listener) => {
      onSlot = listener;
      return { isLive: () => true };
    };
    const { watcher } = watcherOf(
      (method, call) => {
        if (method === 'getTransaction') return landed;
        if (call > 1) return confirmed;
        onSlot();
        return unknown;
      },
      follow,
      60_000,
    );
    expect(await watcher.watch(attempt, AbortSignal.timeout(900))).toMatchObject({ kind: 'success' });
  });

  it('does not go on in silence when what comes makes no sense', async () => {
    const strange = watcherOf((method) => (method === 'getTransaction' ? { meta: {} } : confirmed)).watcher;
    await expect(strange.watch(attempt, never())).rejects.toThrow(TypeError);
    const stranger = watcherOf(() => ({ context: { slot: 1 } })).watcher;
    await expect(stranger.watch(attempt, never())).rejects.toThrow(TypeError);
    strange.close();
    stranger.close();
  });

  it('waits for as long as it takes where the node is only away', async () => {
    const { watcher } = watcherOf((method, call) => {
      if (call < 100) throw new KervanError('NETWORK_UNREACHABLE', { network: 'Solana test' });
      return method === 'getTransaction' ? landed : confirmed;
    });
    expect(await watcher.watch(attempt, never())).toMatchObject({ kind: 'success' });
  });

  it('answers pending at the abort and at the end, and asks nothing afterwards', async () => {
    const { watcher, calls } = watcherOf(() => unknown);
    const abort = new AbortController();
    const [aborted, closed] = [watcher.watch(attempt, abort.signal), watcher.watch(attempt, never())];
    abort.abort();
    expect(await aborted).toEqual({ kind: 'pending' });
    watcher.close();
    expect(await closed).toEqual({ kind: 'pending' });
    const before = calls();
    expect(await watcher.watch(attempt, never())).toEqual({ kind: 'pending' });
    expect(calls()).toBe(before);
  });
});
