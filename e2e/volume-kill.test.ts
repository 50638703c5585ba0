import { expect, test } from 'vitest';
import { quietStack } from './lib/quiet-stack.ts';
import { volumeRun } from './lib/volume-run.ts';

// `npm run test:kill` sets more; a short run is part of every `npm test`.
const kills = Number(process.env['KERVAN_VOLUME_KILLS'] ?? 2);

const stack = quietStack('volume-kill');

test(
  `volume sessions give everything back through ${kills} kills at random instants`,
  async () => {
    const result = await volumeRun(stack(), {
      kills,
      report: (line) => process.stdout.write(`  ${line}\n`),
    });
    process.stdout.write(`  ${JSON.stringify({ ...result, faults: result.faults.length })}\n`);
    expect(result.faults).toEqual([]);
    expect(result.swaps).toBeGreaterThan(result.sessions);
  },
  240_000 + kills * 60_000,
);
