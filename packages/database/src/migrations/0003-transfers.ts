import { sql, type Kysely } from 'kysely';

/** Transfers have the life of trades, and their rows; what they land once is a transfer instead of a swap. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table trades
      add column kind text not null default 'swap' check (kind in ('swap', 'transfer')),
      add column recipient text,
      add check ((kind = 'transfer') = (recipient is not null)),
      drop constraint trades_amount_in_units_check,
      add constraint trades_amount_in_units_check
        check (amount_in_units > 0 or (kind = 'transfer' and amount_in_units = 0));

    alter table trade_attempts
      drop constraint trade_attempts_purpose_check,
      add constraint trade_attempts_purpose_check
        check (purpose in ('swap', 'transfer', 'approval', 'cancel'));
    drop index trade_attempts_one_landing;
    create unique index trade_attempts_one_landing on trade_attempts (trade_id)
      where purpose in ('swap', 'transfer') and state = 'landed';
  `.execute(db);
}
