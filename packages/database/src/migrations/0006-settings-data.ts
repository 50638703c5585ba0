import { sql, type Kysely } from 'kysely';

/** Users' own nodes, what a session looks like to its user, balances over time and results by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_nodes (
      id uuid primary key,
      user_id uuid not null references users (id),
      chain text not null,
      name text not null check (name in ('solana-provider-key', 'bsc-testnet-url', 'bsc-mainnet-url')),
      sealed_value bytea not null,
      wrapped_data_key bytea not null,
      hint text not null,
      updated_at timestamptz not null default now(),
      unique (user_id, name)
    );

    alter table sessions
      add column user_agent text,
      add column last_used_at timestamptz not null default now();

    create table balance_samples (
      user_id uuid not null references users (id),
      chain text not null,
      network text not null,
      at timestamptz not null,
      native_units numeric(78,0) not null,
      primary key (user_id, chain, network, at)
    );

    -- What a day's trades brought. A day is added up once, when no trade of it can be open any more.
    create table result_days (
      user_id uuid not null references users (id),
      chain text not null,
      network text not null,
      day date not null,
      net_units numeric not null,
      trades integer not null,
      primary key (user_id, chain, network, day)
    );
    -- All of the user's days before this one are added up.
    create table result_watermarks (
      user_id uuid primary key references users (id),
      until date not null
    );
  `.execute(db);
}
