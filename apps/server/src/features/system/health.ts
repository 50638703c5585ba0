import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { isHalted } from '../../engine/halt.ts';
import { readNetworksInUse, type IsInUse } from '../../engine/networks-in-use.ts';

export interface HealthPart {
  name: string;
  ok: boolean;
  problem: string | null;
}

interface Dependencies {
  db: Database;
  version: string;
  /** Everything but the database, which is asked here; of the networks, those that are in use. */
  parts: (isInUse: IsInUse) => HealthPart[];
}

const DATABASE_TIMEOUT_MS = 2_000;

export type HealthCheck = () => Promise<Health>;

/** `down` without the database, as nothing works then; `degraded` when some other part has a problem. */
export function createHealthCheck({ db, version, parts }: Dependencies): HealthCheck {
  return async () => {
    const stored = await Promise.race([
      Promise.all([isHalted(db), readNetworksInUse(db)]).catch(() => undefined),
      delay(DATABASE_TIMEOUT_MS, undefined, { ref: false }),
    ]);
    const isDatabaseUp = stored !== undefined;
    // Without the database nobody knows what is in use; nothing is hidden then.
    const [halted, isInUse] = stored ?? [false, () => true];
    const all: HealthPart[] = [
      {
        name: 'database',
        ok: isDatabaseUp,
        problem: isDatabaseUp ? null : 'PostgreSQL does not answer.',
      },
      ...parts(isInUse),
    ];
    return {
      status: !isDatabaseUp ? 'down' : all.every((part) => part.ok) ? 'ok' : 'degraded',
      version,
      uptimeSec: Math.floor(process.uptime()),
      halted,
      parts: all,
    };
  };
}
