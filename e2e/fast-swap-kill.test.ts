import { expect, test } from 'vitest';
import { quietStack } from './lib/quiet-stack.ts';
import { swapKillRun } from './lib/swap-kill-run.ts';

// `npm run test:kill` sets more; a short run is part of every `npm test`.
const swaps = Number(process.env['KERVAN_KILL_SWAPS'] ?? 4);
const walletsPerChain = 10;

const stack = quietStack('swap-kill');

test(
  `${swaps} fast swaps of ${walletsPerChain} wallets, killed at random instants and sent again: no wallet trades twice`,
  async () => {
    const result = await swapKillRun(stack(), {
      rounds: Math.ceil(swaps / 2),
      walletsPerChain,
      report: (line) => process.stdout.write(`  ${line}\n`),
    });
    process.stdout.write(`  ${JSON.stringify({ ...result, faults: result.faults.length })}\n`);
    expect(result.faults).toEqual([]);
    expect(result.success).toBeGreaterThan(result.trades / 2);
  },
  240_000 + swaps * 30_000,
);
