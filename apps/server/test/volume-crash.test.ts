import { expect, test, vi } from 'vitest';
import { ended, expectClosed, onSandboxes, patiently } from './volume-fixture.ts';

// Every step of a session is cut off: before it writes anything, once in every state, and always in the instant after
// its commit, when trades are planned that nobody drives. What goes on is what the rows say.

const cutOff = new Set<string>();
let cuts = 0;

const sandboxes = onSandboxes({
  // What was left behind is taken over as from a dead process, only sooner.
  executorTiming: { leaseMs: 400, heartbeatMs: 50 },
  volume: {
    turnDelayMs: () => 50,
    checkpoint: (at, { id, state }) => {
      const step = `${id} ${state}`;
      if (at === 'decided' && cutOff.has(step)) return;
      cutOff.add(step);
      cuts += 1;
      throw new Error('cut off');
    },
  },
});

test.each(['solana', 'bsc'] as const)(
  'a %s session survives being cut off at every step',
  async (chain) => {
    const on = sandboxes.on[chain]();
    const master = await on.master();
    const before = await on.nativeOf(master.address);
    const sessionId = await on.start(master.named, 2);
    await vi.waitFor(async () => {
      expect((await on.stats()).totalTrades).toBeGreaterThanOrEqual(2);
    }, patiently);
    await on.stop();
    const session = await ended(on, sessionId);
    expect(cuts).toBeGreaterThan(8);
    await expectClosed(sandboxes.server(), on, session, before, await on.nativeOf(master.address));
  },
  // Each cut is followed by the pause of a session that has stumbled.
  120_000,
);
