import { numberToHex } from 'viem';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AttemptRef } from '../port.ts';
import { buyReceipt, createFakeNode, failed, result } from './fake-node.ts';
import { createReceiptWatcher, type ReceiptWatcher } from './receipt-watcher.ts';
import type { RpcAnswer, RpcCall } from './rpc-client.ts';

const owner = '0x1111111111111111111111111111111111111111';
const token = '0x2222222222222222222222222222222222222222';

function attempt(number: number): AttemptRef {
  const txId = numberToHex(number, { size: 32 });
  return { txId, owner, action: 'buy', tokenAddress: token, expiry: { kind: 'nonce', nonce: 0n } };
}

/** A chain at block 16 that the test changes while watchers wait. */
function fakeChain() {
  const state = { landed: false, used: 0, isAway: false, unreadable: '' };
  const node = createFakeNode((call: RpcCall): RpcAnswer => {
    if (state.isAway) throw new Error('away');
    switch (call.method) {
      case 'eth_blockNumber':
        return result('0x10');
      case 'eth_getTransactionReceipt':
        return result(state.landed ? buyReceipt(String(call.params[0]), owner, token) : null);
      case 'eth_getTransactionByHash':
        if (!state.landed || call.params[0] === state.unreadable) return result(null);
        return result({ from: owner, to: token, value: '0x9', input: '0x', gas: '0x5208' });
      case 'eth_getTransactionCount':
        return result(numberToHex(state.used));
      default:
        return failed(-32_601, call.method);
    }
  });
  return { state, node };
}

describe('createReceiptWatcher', () => {
  let watcher: ReceiptWatcher;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    watcher.close();
    vi.useRealTimers();
  });

  function watchOn(node: ReturnType<typeof fakeChain>['node'], confirmations = 1): ReceiptWatcher {
    watcher = createReceiptWatcher({
      rpc: node,
      wbnb: token,
      v3Router: owner,
      confirmations,
      pollMs: 100,
      now: () => Date.now(),
    });
    return watcher;
  }
  const never = new AbortController().signal;

  it('answers 300 watchers with a handful of requests', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node);
    const waiting = Array.from({ length: 300 }, (_, number) => receipts.watch(attempt(number + 1), never));
    await vi.advanceTimersByTimeAsync(50);
    const before = node.requests.length;
    state.landed = true;
    await vi.advanceTimersByTimeAsync(100);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.every(({ kind }) => kind === 'success')).toBe(true);
    expect(outcomes[299]).toMatchObject({ settlement: { nativeUnits: 9n, tokenUnits: 5n, feeUnits: 300n } });
    expect(node.requests.length - before).toBeLessThanOrEqual(8);

    await vi.advanceTimersByTimeAsync(10_000);
    const idle = node.requests.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(node.requests).toHaveLength(idle);
  });

  it('waits through a node that is away, asking less often', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node);
    state.isAway = true;
    const outcome = receipts.watch(attempt(1), never);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(node.requests.length).toBeLessThan(20);
    state.isAway = false;
    state.landed = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await outcome).kind).toBe('success');
  });

  it('tells that another transaction took the nonce', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node);
    const outcome = receipts.watch(attempt(1), never);
    await vi.advanceTimersByTimeAsync(500);
    state.used = 1;
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await outcome).toEqual({ kind: 'dead', why: 'replaced' });
  });

  it('does not call a nonce used in the newest blocks lost where nodes may lag', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node, 3);
    const controller = new AbortController();
    const outcome = receipts.watch(attempt(1), controller.signal);
    state.used = 1;
    await vi.advanceTimersByTimeAsync(5_000);
    controller.abort();
    expect(await outcome).toEqual({ kind: 'pending' });
  });

  it('starved all waiters: one landed transaction that can’t be read keeps only its own waiting', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node);
    const unreadable = receipts.watch(attempt(1), never);
    const nobodys = receipts.watch({ ...attempt(2), owner: 'nobody' }, never);
    await vi.advanceTimersByTimeAsync(50);
    state.unreadable = attempt(1).txId;
    state.landed = true;
    state.used = 1;
    const readable = receipts.watch(attempt(3), never);
    await vi.advanceTimersByTimeAsync(2_500);
    expect((await readable).kind).toBe('success');
    expect((await nobodys).kind).toBe('success');
    const late = receipts.watch(attempt(4), never);
    await vi.advanceTimersByTimeAsync(500);
    expect((await late).kind).toBe('success');
    state.unreadable = '';
    await vi.advanceTimersByTimeAsync(500);
    expect((await unreadable).kind).toBe('success');
  });

  it('starved all waiters: a lost one that can’t be read does not keep the next from being told', async () => {
    const { state, node } = fakeChain();
    const receipts = watchOn(node);
    state.used = 1;
    // Its owner is no address, so nobody can say whose nonce to ask for.
    void receipts.watch({ ...attempt(1), owner: 'nobody' }, never);
    const outcome = receipts.watch(attempt(2), never);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await outcome).toEqual({ kind: 'dead', why: 'replaced' });
  });

  it('waits until a receipt is deep enough', async () => {
    const { state, node } = fakeChain();
    state.landed = true;
    const receipts = watchOn(node, 11);
    const controller = new AbortController();
    const outcome = receipts.watch(attempt(1), controller.signal);
    await vi.advanceTimersByTimeAsync(5_000);
    controller.abort();
    expect(await outcome).toEqual({ kind: 'pending' });
  });

  it('resolves as pending on abort and on close', async () => {
    const { node } = fakeChain();
    const receipts = watchOn(node);
    const controller = new AbortController();
    const [aborted, closed] = [
      receipts.watch(attempt(1), controller.signal),
      receipts.watch(attempt(2), never),
    ];
    controller.abort();
    expect(await aborted).toEqual({ kind: 'pending' });
    receipts.close();
    expect(await closed).toEqual({ kind: 'pending' });
    expect(await receipts.watch(attempt(3), never)).toEqual({ kind: 'pending' });
  });
});
