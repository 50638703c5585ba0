import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { routes, type Weather } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { parseUnits } from '@kervan/domain';
import type { PartName, Stack } from '../../apps/launcher/src/stack.ts';
import type { ApiClient } from './api-client.ts';

export const STORM: Partial<Weather> = {
  latencyMs: 15,
  tooManyRequestsRate: 0.05,
  dropSendRate: 0.08,
  loseAnswerRate: 0.08,
};
export const FAIR: Partial<Weather> = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
};

/** What dies together. */
const VICTIMS = [
  { name: 'server', parts: ['server'] },
  { name: 'server and Postgres', parts: ['server', 'postgres'] },
  { name: 'sandbox', parts: ['sandbox'] },
  { name: 'everything', parts: ['server', 'postgres', 'sandbox'] },
] as const satisfies readonly { name: string; parts: readonly PartName[] }[];

/** Kills a part of the running product, or several at once; answers which, and when they are back. */
export function killSomething(stack: Stack): { readonly name: string; readonly back: Promise<unknown> } {
  const victim = VICTIMS[randomInt(VICTIMS.length)];
  if (!victim) throw new Error('unreachable');
  for (const part of victim.parts) stack.kill(part, 'SIGKILL');
  return { name: victim.name, back: Promise.all(victim.parts.map((part) => stack.ready(part))) };
}

export async function setWeather(api: ApiClient, weather: Partial<Weather>): Promise<void> {
  await api.callPatiently(routes.setWeather, { body: { solana: weather, bsc: weather } });
}

/** A send that never arrived is known dead only when its blockhash has expired at finalized commitment. */
const REST_MS = 180_000;

export async function allEnded(db: Database, report: (line: string) => void): Promise<void> {
  const deadline = Date.now() + REST_MS;
  for (;;) {
    const { open } = await db
      .selectFrom('trades')
      .select(({ fn }) => fn.countAll<bigint>().as('open'))
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (open === 0n || Date.now() > deadline) return;
    report(`${open} trades are still open`);
    await delay(2_000);
  }
}

export function units(amount: string, decimals: number): bigint {
  const parsed = parseUnits(amount, decimals);
  if (parsed === undefined) throw new Error(`${amount} is no amount with ${decimals} decimals`);
  return parsed;
}
