import { connect } from '@kervan/database';
import { sql } from 'kysely';
import type { Product } from './product.ts';

/**
 * Gives each trade that there is so many older ones like it, an hour apart: the first a dollar's worth, the next two
 * dollars', and so on, every third of them a sale. And their wallets a balance of yesterday.
 */
export async function copyIntoPast({ stack }: Product, copies: number): Promise<void> {
  const db = connect(stack.databaseUrl, { max: 1 });
  await sql`
    insert into trades
    select (jsonb_populate_record(trade, jsonb_build_object(
      'id', uuidv7(-ago),
      'idempotency_key', 'copy ' || copy || ' of ' || trade.id,
      'action', case when copy % 3 = 0 then 'sell' else 'buy' end,
      'usd_micros', copy * 1000000,
      'executed_at', executed_at - ago,
      'ended_at', ended_at - ago
    ))).*
    from trades as trade, generate_series(1, ${copies}) as copy, lateral (select copy * interval '1 hour' as ago) as moment`.execute(
    db,
  );
  await sql`
    insert into balance_samples (user_id, chain, network, at, native_units)
    select distinct user_id, chain, network, date_trunc('minute', now()) - interval '1 day', ${10n ** 9n}::numeric
    from trades`.execute(db);
  await db.destroy();
}
