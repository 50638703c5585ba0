import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { isHalted } from '../../engine/halt.ts';

export interface HealthPart {
  name: string;
  ok: boolean;
  problem: string | null;
}

interface Dependencies {
  db: Database;
  version: string;
  /** Everything but the database, which is asked here. */
  parts: () => HealthPart[];
}

const DATABASE_TIMEOUT_MS = 2_000;

export type HealthCheck = () => Promise<Health>;

/** `down` without the database, as nothing works then; `degraded` when some other part has a problem. */
export function createHealthCheck({ db, version, parts }: Dependencies): HealthCheck {
  return async () => {
    const halted = await Promise.race([
      isHalted(db).catch(() => undefined),
      delay(DATABASE_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    const isDatabaseUp = halted !== undefined;
    const all: HealthPart[] = [
      {
        name: 'database',
        ok: isDatabaseUp,
        problem: isDatabaseUp ? null : 'PostgreSQL does not answer.',
      },
      ...parts(),
    ];
    return {
      status: !isDatabaseUp ? 'down' : all.every((part) => part.ok) ? 'ok' : 'degraded',
      version,
      uptimeSec: Math.floor(process.uptime()),
      halted: halted ?? false,
      parts: all,
    };
  };
}
