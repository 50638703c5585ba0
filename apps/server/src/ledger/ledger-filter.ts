import type { Action, Chain, Network, TradeSource } from '@kervan/contract';
import type { TradeState } from '@kervan/domain';
import { sql, type RawBuilder } from 'kysely';

/** Which of a user's ended trades; what is left out is not asked about. */
export interface LedgerFilter {
  readonly userId: string;
  readonly chain?: Chain | undefined;
  readonly network?: Network | undefined;
  readonly source?: TradeSource | undefined;
  readonly action?: Action | undefined;
  readonly state?: TradeState | undefined;
  /** Executed at this moment or later. */
  readonly since?: Date | undefined;
  /** Bounds of the USD value, both included; with one of them, trades of unknown value are left out. */
  readonly minMicros?: bigint | undefined;
  readonly maxMicros?: bigint | undefined;
}

type Condition = RawBuilder<unknown>;

/** Conditions on the columns that runs and the tail have in common, for behind an `and`. */
export function kindMatches(filter: LedgerFilter, table: 'run' | 'tail' | 'trades'): Condition {
  const { chain, network, source, action, state } = filter;
  const kind = { chain, network, source, action, state };
  const conditions = Object.entries(kind)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(`${table}.${column}`)} = ${value}`);
  return all(conditions);
}

/** Conditions on one trade's time and value, for behind an `and`. */
export function tradeMatches(filter: LedgerFilter, table: 'entry' | 'tail' | 'trades'): Condition {
  const { since, minMicros, maxMicros } = filter;
  const usd = sql.ref(`${table}.usd_micros`);
  return all([
    ...(since ? [sql`${sql.ref(`${table}.executed_at`)} >= ${since}`] : []),
    ...(minMicros === undefined ? [] : [sql`${usd} >= ${minMicros}`]),
    ...(maxMicros === undefined ? [] : [sql`${usd} <= ${maxMicros}`]),
  ]);
}

function all(conditions: Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
