import { sql, type Kysely } from 'kysely';

/** Accounts, vault, wallets, bots, trades: everything the ground floor stores. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      username text not null,
      username_key text not null unique,
      password_hash text not null,
      created_at timestamptz not null default now()
    );

    create table sessions (
      id uuid primary key,
      user_id uuid not null references users (id),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    );
    create index sessions_user on sessions (user_id);

    create table refresh_tokens (
      token_hash bytea primary key,
      session_id uuid not null references sessions (id) on delete cascade,
      parent_hash bytea,
      created_at timestamptz not null default now(),
      used_at timestamptz
    );
    create index refresh_tokens_session on refresh_tokens (session_id);

    create table settings (
      user_id uuid primary key references users (id),
      data jsonb not null,
      updated_at timestamptz not null default now()
    );

    create table instance (
      id boolean primary key default true check (id),
      halted boolean not null default false,
      halted_changed_at timestamptz
    );
    insert into instance default values;

    -- The halt switch and those who commit an attempt exclude each other by an advisory lock: the switch takes it
    -- alone, they share it. A function's statements each see what is committed when they begin; a single statement
    -- would read the switch from a snapshot older than the lock it waited for.
    create function set_halted(switched boolean) returns void language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(7710001);
        update instance set halted = switched, halted_changed_at = now();
      end
    $$;
    create function signing_allowed() returns boolean language plpgsql volatile as $$
      begin
        perform pg_advisory_xact_lock_shared(7710001);
        return (select not halted from instance);
      end
    $$;

    create table vault (
      id boolean primary key default true check (id),
      version integer not null,
      source text not null,
      kdf jsonb,
      check_value bytea not null
    );

    create table wallets (
      id uuid primary key,
      user_id uuid not null references users (id),
      chain text not null,
      name text not null,
      address text not null,
      sealed_key bytea,
      wrapped_data_key bytea,
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      check (deleted_at is not null or (sealed_key is not null and wrapped_data_key is not null))
    );
    create unique index wallets_address on wallets (user_id, chain, address) where deleted_at is null;

    create table bots (
      id uuid primary key,
      user_id uuid not null references users (id),
      wallet_id uuid not null references wallets (id),
      chain text not null,
      network text not null,
      name text not null,
      action text not null,
      token_address text,
      token_symbol text,
      token_decimals integer,
      amount_min double precision not null,
      amount_max double precision not null,
      range_time_min integer not null,
      range_time_max integer not null,
      slippage_bps integer not null,
      dex_version text,
      is_active boolean not null default false,
      seed bytea not null,
      run_count bigint not null default 0,
      next_run_at timestamptz,
      interval_ms integer,
      last_run timestamptz,
      execution_count integer not null default 0,
      failures_in_a_row integer not null default 0,
      created_at timestamptz not null default now(),
      deleted_at timestamptz
    ) with (fillfactor = 70);
    create index bots_user on bots (user_id, chain) where deleted_at is null;
    create index bots_wallet on bots (wallet_id) where deleted_at is null;

    create table bot_logs (
      id bigint generated always as identity primary key,
      bot_id uuid not null references bots (id),
      created_at timestamptz not null default now(),
      level text not null,
      message text not null,
      data jsonb
    );
    create index bot_logs_bot on bot_logs (bot_id, id desc);

    create table trades (
      id uuid primary key,
      user_id uuid not null references users (id),
      idempotency_key text not null,
      wallet_id uuid not null references wallets (id),
      wallet_name text not null,
      wallet_address text not null,
      chain text not null,
      network text not null,
      source text not null,
      source_id uuid,
      source_name text,
      action text not null,
      token_address text not null,
      token_symbol text,
      token_decimals integer not null,
      amount_in_units numeric(78,0) not null check (amount_in_units > 0),
      slippage_bps integer not null,
      dex_version text,
      limit_value_units numeric(78,0) not null,
      state text not null check (state in ('planned', 'signed', 'success', 'failed', 'cancelled')),
      tx_id text,
      native_units numeric(78,0),
      token_units numeric(78,0),
      fee_units numeric(78,0),
      tip_units numeric(78,0),
      rent_units numeric(78,0),
      error_code text,
      error_context jsonb,
      lease_owner uuid,
      lease_until timestamptz,
      planned_at timestamptz not null default now(),
      simulated_at timestamptz,
      signed_at timestamptz,
      sent_at timestamptz,
      ended_at timestamptz,
      executed_at timestamptz,
      unique (user_id, idempotency_key),
      check ((state in ('planned', 'signed')) = (ended_at is null)),
      check (state <> 'success' or (tx_id is not null and native_units is not null and token_units is not null))
    ) with (fillfactor = 80);
    create index trades_open on trades (lease_until) where state in ('planned', 'signed');
    create index trades_open_wallet on trades (wallet_id) where state in ('planned', 'signed');
    create index trades_source on trades (source_id, executed_at desc nulls first, id desc);
    create index trades_user on trades (user_id, executed_at desc nulls first, id desc);
    create index trades_address_day on trades (wallet_address, planned_at) where limit_value_units > 0;

    create table trade_attempts (
      id uuid primary key,
      trade_id uuid not null references trades (id),
      number integer not null,
      purpose text not null check (purpose in ('swap', 'approval', 'cancel')),
      tx_id text not null unique,
      bytes bytea not null,
      nonce numeric(78,0),
      last_valid_block_height bigint,
      gas_price_units numeric(78,0),
      state text not null check (state in ('live', 'landed', 'dead')),
      fee_units numeric(78,0),
      height bigint,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      unique (trade_id, number),
      check ((nonce is null) <> (last_valid_block_height is null))
    ) with (fillfactor = 80);

    -- The promise itself, kept by the database: a trade's swap lands once, and two attempts of one trade can be
    -- alive together only where one nonce excludes the other.
    create unique index trade_attempts_one_landing on trade_attempts (trade_id) where purpose = 'swap' and state = 'landed';
    create unique index trade_attempts_one_live on trade_attempts (trade_id) where nonce is null and state = 'live';

    create table nonce_lanes (
      network text not null,
      address text not null,
      trade_id uuid not null references trades (id),
      primary key (network, address)
    ) with (fillfactor = 50);
    create index nonce_lanes_trade on nonce_lanes (trade_id);

    create table idempotent_requests (
      user_id uuid not null references users (id),
      key text not null,
      request_hash bytea not null,
      status integer not null,
      -- Not jsonb, which would give the fields of a repeated answer in another order.
      answer json not null,
      created_at timestamptz not null default now(),
      primary key (user_id, key)
    );

    -- Socket events too large for a notification, between processes (Socket.IO's Postgres adapter names the columns).
    create table socket_io_attachments (
      id bigserial unique,
      created_at timestamptz default now(),
      payload bytea
    );
  `.execute(db);
}
