import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';

describe('a gate', () => {
  it('holds callers back until it opens', async () => {
    const gate = createGate();
    let passed = false;
    const caller = gate.pass().then(() => (passed = true));
    await Promise.resolve();
    expect(passed).toBe(false);
    gate.open();
    await caller;
    expect(passed).toBe(true);
  });

  it('holds back a caller whose turn comes after it was shut again', async () => {
    const gate = createGate();
    let passed = false;
    gate.open();
    const caller = gate.pass().then(() => (passed = true));
    gate.shut();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(passed).toBe(false);
    gate.open();
    await caller;
    expect(passed).toBe(true);
  });

  it('gives its failure to those who wait and to those who come', async () => {
    const gate = createGate();
    const waiting = gate.pass();
    gate.fail(new Error('no way'));
    await expect(waiting).rejects.toThrow('no way');
    await expect(gate.pass()).rejects.toThrow('no way');
  });
});
