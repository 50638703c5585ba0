import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@kervan/database';
import type { Stack } from '../../apps/launcher/src/stack.ts';
import { eventLoopDelayP99Ms, readMetrics } from './metrics.ts';
import { median, percentile } from './percentiles.ts';
import { cpuTime } from './process-usage.ts';
import { atLeast, atMost, milliseconds, percent, perSecond, type Figure } from './report.ts';
import { logRuns } from './run-log.ts';

const EVENT_LOOP_LIMIT_MS = 50;
/** A run that ends in a refusal costs less than a trade: figures of trades that fail prove nothing. */
const SUCCESS_LIMIT_PERCENT = 99;

/** Watches running bots, and what they cost each part of the stack. */
export async function measureFleet(
  stack: Stack,
  db: Database,
  asked: {
    readonly claim: string;
    readonly warmUpMs: number;
    readonly forMs: number;
    readonly latenessLimitMs: number;
  },
): Promise<Figure[]> {
  const { claim, warmUpMs, forMs, latenessLimitMs } = asked;
  await delay(warmUpMs);
  // Reading them begins the span that the next reading tells of.
  await readMetrics(stack.url);
  const startedAt = performance.now();
  const before = cpuByPart(stack);
  const runs = await logRuns(db, forMs);
  const elapsedSec = (performance.now() - startedAt) / 1000;
  const after = cpuByPart(stack);
  const metrics = await readMetrics(stack.url);

  const { latenessMs, states } = runs;
  const success = ((states.get('success') ?? 0) / latenessMs.length) * 100;
  const others = [...states].filter(([state]) => state !== 'success').map(([state, n]) => `${n} ${state}`);
  return [
    atMost(`${claim}: lateness p99`, percentile(latenessMs, 0.99), latenessLimitMs, milliseconds),
    {
      claim: `${claim}: lateness p50, longest`,
      measured: `${milliseconds(median(latenessMs))}, ${milliseconds(Math.max(...latenessMs))}`,
    },
    atMost(
      `${claim}: event-loop delay p99 (10 ms of it Node's sampling)`,
      eventLoopDelayP99Ms(metrics),
      EVENT_LOOP_LIMIT_MS,
      milliseconds,
    ),
    atLeast(`${claim}: due runs that are landed trades`, success, SUCCESS_LIMIT_PERCENT, percent),
    ...(others.length > 0 ? [{ claim: `${claim}: other trades`, measured: others.join(', ') }] : []),
    { claim: `${claim}: runs`, measured: perSecond(runs.planned / (forMs / 1000)) },
    ...Object.entries(after).map(([part, seconds]) => ({
      claim: `${claim}: CPU of ${part}, of one core`,
      measured: percent(((seconds - (before[part] ?? 0)) / elapsedSec) * 100),
    })),
  ];
}

function cpuByPart(stack: Stack): Record<string, number> {
  const { server, postgres, sandbox } = stack.pids();
  if (server === undefined || postgres === undefined) throw new Error('A part of the stack has gone');
  const database = cpuTime(postgres);
  const chains = sandbox === undefined ? undefined : cpuTime(sandbox);
  return {
    server: cpuTime(server).own,
    Postgres: database.own + database.descendants,
    // Solana's runtime and both chains' HTTP share one process; BSC's node is that process's child.
    ...(chains && { 'sandbox (Solana, RPC of both)': chains.own, anvil: chains.descendants }),
  };
}
