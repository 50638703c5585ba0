import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { kindMatches, tradeMatches, type LedgerFilter } from '../../ledger/ledger-filter.ts';
import type { LoggedTrade } from './to-enterprise-log.ts';

/** Rows in one answer: few enough that reading them holds nobody up. */
const PORTION = 500;

/** With its place, the time as the database knows it, which is finer than a Date. */
type Row = LoggedTrade & { place: string };

/**
 * All trades that the filter lets through, the newest first, in portions. While one is used the next is read, and no
 * more than that: whoever is slow is waited for.
 */
export async function* streamTrades(db: Database, filter: LedgerFilter): AsyncGenerator<LoggedTrade[]> {
  let reading: Promise<Row[]> | undefined = readAfter(db, filter, undefined);
  while (reading) {
    const rows: Row[] = await reading;
    reading = rows.length < PORTION ? undefined : readAfter(db, filter, rows.at(-1));
    // It may fail while nobody waits for it yet, or for ever if the caller has gone.
    reading?.catch(() => {});
    yield rows;
  }
}

async function readAfter(db: Database, filter: LedgerFilter, last: Row | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, chain, network, action, token_address, token_symbol, token_decimals, token_units, native_units,
      native_price_units, usd_micros, wallet_address, tx_id, executed_at, executed_at::text as place
    from trades
    where user_id = ${filter.userId} and ${kindMatches(filter, 'trades')} and ${tradeMatches(filter, 'trades')}
      and executed_at is not null
      ${last ? sql`and (executed_at, id) < (${last.place}::timestamptz, ${last.id}::uuid)` : sql``}
    order by executed_at desc nulls first, id desc limit ${PORTION}`.execute(db);
  return rows;
}
