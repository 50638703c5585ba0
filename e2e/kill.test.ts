import { expect, test } from 'vitest';
import { killRun } from './lib/kill-run.ts';
import { useStack } from './lib/use-stack.ts';

// `npm run test:kill` sets more; a short run is part of every `npm test`.
const kills = Number(process.env['KERVAN_KILLS'] ?? 5);
const botsPerChain = Number(process.env['KERVAN_KILL_BOTS'] ?? 20);

const stack = useStack('kervan-kill-');

test(
  `exactly once through ${kills} kills at random instants`,
  async () => {
    const result = await killRun(stack(), {
      kills,
      botsPerChain,
      report: (line) => process.stdout.write(`  ${line}\n`),
    });
    process.stdout.write(`  ${JSON.stringify({ ...result, faults: result.faults.length })}\n`);
    expect(result.faults).toEqual([]);
    expect(result.success).toBeGreaterThan(botsPerChain);
  },
  240_000 + kills * 30_000,
);
