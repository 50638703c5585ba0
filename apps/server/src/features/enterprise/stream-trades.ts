import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { kindMatches, tradeMatches, type LedgerFilter } from '../../ledger/ledger-filter.ts';
import type { LoggedTrade } from './to-enterprise-log.ts';

/** Rows in one answer: few enough that reading them holds nobody up. */
const PORTION = 1000;

type Row = LoggedTrade & { place: string };

/** All trades that the filter lets through, the newest first, in portions: the next is read when the last is used up. */
export async function* streamTrades(db: Database, filter: LedgerFilter): AsyncGenerator<LoggedTrade[]> {
  let last: Row | undefined;
  for (;;) {
    // The place is the time as the database knows it, which is finer than a Date.
    const { rows }: { rows: Row[] } = await sql<Row>`
      select id, chain, network, action, token_address, token_symbol, token_decimals, token_units, native_units,
        native_price_units, usd_micros, wallet_address, tx_id, executed_at, executed_at::text as place
      from trades
      where user_id = ${filter.userId} and ${kindMatches(filter, 'trades')} and ${tradeMatches(filter, 'trades')}
        and executed_at is not null
        ${last ? sql`and (executed_at, id) < (${last.place}::timestamptz, ${last.id}::uuid)` : sql``}
      order by executed_at desc nulls first, id desc limit ${PORTION}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PORTION) return;
    last = rows.at(-1);
  }
}
