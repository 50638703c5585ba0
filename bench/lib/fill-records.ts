import type { Database } from '@kervan/database';
import { sql } from 'kysely';
import { uuidv7 } from '../../apps/server/src/lib/ids.ts';

const PORTION = 50_000;
/** The trades are of so many bots, in turn; this is the id of the first, and the others' end with their number. */
const BOTS = 20;
export const FILLED_BOT_ID = '00000000-0000-4000-8000-000000000000';
/** How far back the trades lie. */
const DAYS = 200;

/**
 * Gives a user so many ended trades on both chains, evenly over time: one in ten failed, one in fifty of unknown value,
 * the others log-normally worth from cents to thousands of dollars. The same number gives the same trades.
 */
export async function fillRecords(db: Database, userId: string, trades: number): Promise<void> {
  const wallet = { id: uuidv7(), user_id: userId, chain: 'solana', name: 'bench', address: 'maker' } as const;
  // Deleted, so that it needs no key.
  await db
    .insertInto('wallets')
    .values({ ...wallet, deleted_at: new Date() })
    .execute();
  await sql`select setseed(0.5)`.execute(db);
  for (let from = 0; from < trades; from += PORTION) {
    const last = Math.min(from + PORTION, trades) - 1;
    await sql`
      insert into trades (
        id, user_id, idempotency_key, wallet_id, wallet_name, wallet_address, chain, network, source, source_id,
        source_name, action, token_address, token_symbol, token_decimals, amount_in_units, slippage_bps,
        limit_value_units, state, tx_id, native_units, token_units, fee_units, tip_units, rent_units,
        native_price_units, usd_micros, planned_at, simulated_at, signed_at, sent_at, ended_at, executed_at
      )
      select uuidv7(at - now()), ${userId}, 'bench-' || n, ${wallet.id}, 'bench', 'maker', chain, 'sandbox', 'bot',
        overlay(${FILLED_BOT_ID} placing lpad((n % ${BOTS})::text, 2, '0') from 35)::uuid, 'bench ' || n % ${BOTS}, case when random() < 0.5 then 'buy' else 'sell' end,
        'token', 'TOK', 6, native, 100, native, state, 'tx-' || n, case when landed then native end,
        case when landed then native / 1000 + 1 end, 5000, 0, 0,
        case when landed then 150000000000000000000 end, case when landed then usd end, at, at, at, at, at, at
      from (
        select n, chain, case when random() < 0.1 then 'failed' else 'success' end as state, usd,
          ceil(coalesce(usd, 1) * (case chain when 'solana' then 10 else 10000000000 end)::numeric / 1.5) as native,
          now() - interval '1 minute' - (${trades} - n) * (${DAYS} * interval '1 day' / ${trades}) as at
        from (
          select n, case when random() < 0.5 then 'solana' else 'bsc' end as chain,
            case when random() < 0.98 then round(1e6 * exp(3 + 2 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())))::bigint end
              as usd
          from generate_series(${from}::bigint, ${last}::bigint) as n
        ) as drawn
      ) as trade, lateral (select state = 'success' as landed) as fate`.execute(db);
  }
}
