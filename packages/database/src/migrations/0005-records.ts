import { sql, type Kysely } from 'kysely';

/** What trades were worth, and the ledger by which they are counted and paged (ADR 011). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table trades
      add column native_price_units numeric(78,0),
      add column usd_micros bigint;

    -- One bot's trades are counted and skipped without reading them.
    drop index trades_source;
    create index trades_source on trades (source_id, executed_at desc nulls first, id desc)
      include (user_id, source, kind, action, state);

    -- Ended trades that are not in a block yet.
    create table ledger_tail (
      user_id uuid not null,
      trade_id uuid not null references trades (id) on delete cascade,
      executed_at timestamptz not null,
      chain text not null,
      network text not null,
      source text not null,
      action text not null,
      state text not null,
      usd_micros bigint,
      primary key (user_id, executed_at, trade_id)
    );

    -- A block is a span of a user's ended trades in the order of (executed_at, trade_id). Blocks do not overlap.
    create table ledger_blocks (
      id bigint generated always as identity primary key,
      user_id uuid not null references users (id),
      from_at timestamptz not null,
      from_id uuid not null,
      to_at timestamptz not null,
      to_id uuid not null
    );
    create index ledger_blocks_user on ledger_blocks (user_id, from_at, from_id);

    -- A block's trades of one kind.
    create table ledger_runs (
      id bigint generated always as identity primary key,
      block_id bigint not null references ledger_blocks (id) on delete cascade,
      chain text not null,
      network text not null,
      source text not null,
      action text not null,
      state text not null,
      entries integer not null,
      valued integer not null
    );
    create index ledger_runs_block on ledger_runs (block_id);

    -- A run's trades; rank counts those of known value from the smallest, so that two look-ups count any range of it.
    create table ledger_entries (
      run_id bigint not null references ledger_runs (id) on delete cascade,
      usd_micros bigint,
      rank integer,
      executed_at timestamptz not null,
      trade_id uuid not null,
      check ((usd_micros is null) = (rank is null))
    );
    create index ledger_entries_run on ledger_entries (run_id, usd_micros, rank);

    insert into ledger_tail
    select user_id, id, coalesce(executed_at, ended_at), chain, network, source, action, state, usd_micros
    from trades where kind = 'swap' and ended_at is not null;

    -- Swaps only: a transfer is no trade. By the database itself, so that no way of ending a trade can leave the ledger out.
    create function enter_ended_trade() returns trigger language plpgsql as $$
      begin
        insert into ledger_tail
        values (
          new.user_id, new.id, coalesce(new.executed_at, new.ended_at), new.chain, new.network, new.source, new.action,
          new.state, new.usd_micros
        );
        return null;
      end
    $$;
    create trigger trades_ended after update of ended_at on trades
      for each row when (new.kind = 'swap' and old.ended_at is null and new.ended_at is not null) execute function enter_ended_trade();
    create trigger trades_entered after insert on trades
      for each row when (new.kind = 'swap' and new.ended_at is not null) execute function enter_ended_trade();
  `.execute(db);
}
