import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack, type Stack } from '../apps/launcher/src/stack.ts';
import { killRun } from './lib/kill-run.ts';

// `npm run test:kill` sets more; a short run is part of every `npm test`.
const kills = Number(process.env['KERVAN_KILLS'] ?? 5);
const botsPerChain = Number(process.env['KERVAN_KILL_BOTS'] ?? 20);

let dataDir: string;
let stack: Stack;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kervan-kill-'));
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
  `exactly once through ${kills} kills at random instants`,
  async () => {
    const result = await killRun(stack, {
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
