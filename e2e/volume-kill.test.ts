import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, type Stack } from '../apps/launcher/src/stack.ts';
import { volumeRun } from './lib/volume-run.ts';

// `npm run test:kill` sets more; a short run is part of every `npm test`.
const kills = Number(process.env['KERVAN_VOLUME_KILLS'] ?? 2);

let dataDir: string;
let stack: Stack;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-volume-kill-'));
  stack = await startStack({
    dataDir,
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
  });
});

afterAll(async () => {
  await stack.stop();
  await rm(dataDir, { recursive: true });
});

test(
  `volume sessions give everything back through ${kills} kills at random instants`,
  async () => {
    const result = await volumeRun(stack, {
      kills,
      report: (line) => process.stdout.write(`  ${line}\n`),
    });
    process.stdout.write(`  ${JSON.stringify({ ...result, faults: result.faults.length })}\n`);
    expect(result.faults).toEqual([]);
    expect(result.swaps).toBeGreaterThan(result.sessions);
  },
  240_000 + kills * 60_000,
);
