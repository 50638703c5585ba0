import { sql, type Kysely } from 'kysely';

/** Volume sessions and their wallets, whose keys lie among the other wallets' and are nobody's to see or use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table wallets add column is_of_session boolean not null default false;
    -- A key pasted for a session may be one that is stored as well.
    drop index wallets_address;
    create unique index wallets_address on wallets (user_id, chain, address)
      where deleted_at is null and not is_of_session;

    create table volume_sessions (
      id uuid primary key,
      user_id uuid not null references users (id),
      idempotency_key text,
      chain text not null,
      network text not null,
      state text not null check (state in ('funding', 'trading', 'draining', 'ended')),
      master_wallet_id uuid not null references wallets (id),
      master_name text not null,
      master_address text not null,
      is_master_pasted boolean not null,
      token_address text not null,
      token_symbol text,
      token_decimals integer not null,
      wallet_count integer not null,
      min_amount double precision not null,
      max_amount double precision not null,
      trading_interval_ms integer not null,
      slippage_bps integer not null,
      dex_version text,
      seed bytea not null,
      turn integer not null default 0,
      failures_in_a_row integer not null default 0,
      next_at timestamptz not null default now(),
      problem_code text,
      problem_context jsonb,
      stop_code text,
      stop_context jsonb,
      started_at timestamptz not null default now(),
      stopped_at timestamptz,
      ended_at timestamptz,
      unique (user_id, idempotency_key),
      check ((state = 'ended') = (ended_at is not null))
    );
    -- One session a user and chain, until it is drained.
    create unique index volume_sessions_one on volume_sessions (user_id, chain) where state <> 'ended';
    create index volume_sessions_due on volume_sessions (next_at) where state <> 'ended';
    create index volume_sessions_user on volume_sessions (user_id, chain, id desc);
    create index volume_sessions_master on volume_sessions (master_wallet_id) where state <> 'ended';

    create table volume_wallets (
      wallet_id uuid primary key references wallets (id),
      session_id uuid not null references volume_sessions (id),
      number integer not null,
      address text not null,
      funding_units numeric(78,0) not null check (funding_units > 0),
      status text not null check (status in ('funding', 'trading', 'draining', 'drained', 'stranded')),
      step integer not null default 0,
      trade_id uuid references trades (id),
      trade_purpose text check (trade_purpose in ('funding', 'turn', 'drain')),
      drain_stage text not null default 'sell' check (drain_stage in ('sell', 'tokens', 'native', 'over')),
      drain_tries integer not null default 0,
      lags_since timestamptz,
      trades integer not null default 0,
      funded_units numeric(78,0) not null default 0,
      funding_fee_units numeric(78,0) not null default 0,
      bought_units numeric(78,0) not null default 0,
      sold_units numeric(78,0) not null default 0,
      fee_units numeric(78,0) not null default 0,
      deposit_units numeric(78,0) not null default 0,
      recovered_units numeric(78,0) not null default 0,
      recovered_token_units numeric(78,0) not null default 0,
      held_token_units numeric(78,0) not null default 0,
      left_native_units numeric(78,0),
      left_token_units numeric(78,0),
      problem_code text,
      problem_context jsonb,
      last_activity timestamptz,
      unique (session_id, number),
      check ((trade_id is null) = (trade_purpose is null))
    );
    create unique index volume_wallets_trade on volume_wallets (trade_id) where trade_id is not null;
  `.execute(db);
}
