import { sql, type Kysely } from 'kysely';

/** Fast swaps: the request, its trades that land together, and trades of keys that are not stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What was asked for and, once, what it was turned into: whoever sends the same key again gets this.
    create table fast_swaps (
      id uuid primary key,
      user_id uuid not null references users (id),
      idempotency_key text not null,
      -- Of what was asked for; of a pasted key its address takes part.
      request_hash bytea not null,
      chain text not null,
      -- Every wallet in the order asked for, with the reason of those that no trade was planned for.
      legs jsonb not null,
      created_at timestamptz not null default now(),
      unique (user_id, idempotency_key)
    );

    -- Trades that land together or not at all.
    alter table trades add column bundle_id uuid;
    create index trades_bundle on trades (bundle_id) where bundle_id is not null;

    -- A pasted key belongs to no stored wallet; its address is kept.
    alter table trades alter column wallet_id drop not null;
    -- A tier's name or a price in wei; null for what bots pay.
    alter table trades add column gas_choice text;
  `.execute(db);
}
