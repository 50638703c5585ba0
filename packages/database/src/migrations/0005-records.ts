import { sql, type Kysely } from 'kysely';

/** What a trade was worth. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table trades
      add column native_price_units numeric(78,0),
      add column usd_micros bigint;
  `.execute(db);
}
