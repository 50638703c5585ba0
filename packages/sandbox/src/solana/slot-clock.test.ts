import { describe, expect, it } from 'vitest';
import { createSlotClock } from './slot-clock.ts';

function openClock(firstSlot = 0, startMs = Date.UTC(2026, 10, 21)) {
  const state = { nowMs: startMs, isExpired: false };
  const clock = createSlotClock({
    now: () => state.nowMs,
    firstSlot,
    areBlockhashesExpired: () => state.isExpired,
  });
  return { clock, state };
}

describe('the slot clock', () => {
  it('advances a slot every 400 ms and never goes back', () => {
    const { clock, state } = openClock();
    const { slot } = clock;
    state.nowMs += 399;
    expect(clock.advance()).toBe(false);
    state.nowMs += 801;
    expect(clock.advance()).toBe(true);
    expect(clock.slot).toBe(slot + 3);
    state.nowMs -= 60_000;
    expect(clock.advance()).toBe(false);
    expect(clock.slot).toBe(slot + 3);
  });

  it('takes a blockhash for 150 slots after its own', () => {
    const { clock, state } = openClock();
    const { blockhash, lastValidBlockHeight } = clock.latestBlockhash('processed');
    expect(lastValidBlockHeight).toBe(clock.slot + 150);
    state.nowMs += 150 * 400;
    clock.advance();
    expect(clock.slot).toBe(lastValidBlockHeight);
    expect(clock.isBlockhashValid(blockhash)).toBe(true);
    state.nowMs += 400;
    clock.advance();
    expect(clock.isBlockhashValid(blockhash)).toBe(false);
  });

  it('knows the blockhashes of before a restart, also after it slept through some slots', () => {
    const before = openClock();
    const { blockhash } = before.clock.latestBlockhash('finalized');
    const after = openClock(before.clock.slot, before.state.nowMs + 20_000);
    expect(after.clock.isBlockhashValid(blockhash)).toBe(true);
    after.state.nowMs += 3_600_000;
    after.clock.advance();
    expect(after.clock.isBlockhashValid(blockhash)).toBe(false);
    expect(after.clock.isBlockhashValid(after.clock.latestBlockhash('finalized').blockhash)).toBe(true);
  });

  it('does not fall behind the newest slot on record when the wall clock was set back', () => {
    const { clock } = openClock(1_000_000_000);
    expect(clock.slot).toBe(1_000_000_000);
  });

  it('gives commitments by age', () => {
    const { clock } = openClock();
    expect(clock.commitmentOf(clock.slot)).toBe('processed');
    expect(clock.commitmentOf(clock.slot - 1)).toBe('confirmed');
    expect(clock.commitmentOf(clock.slot - 31)).toBe('confirmed');
    expect(clock.commitmentOf(clock.slot - 32)).toBe('finalized');
  });

  it('has only expired blockhashes while they are to be expired, its own excepted', () => {
    const { clock, state } = openClock();
    const { blockhash } = clock.latestBlockhash('processed');
    state.isExpired = true;
    expect(clock.isBlockhashValid(blockhash)).toBe(false);
    expect(clock.latestBlockhash('finalized').lastValidBlockHeight).toBeLessThan(clock.slotAt('finalized'));
    expect(clock.newestBlockhash().blockhash).toBe(blockhash);
  });
});
