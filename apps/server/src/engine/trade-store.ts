import type { PreparedTransaction, SignedTransaction } from '@kervan/chains';
import type { AttemptRow, Database, Schema, TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import { sql, type Transaction } from 'kysely';
import { uuidv7 } from '../lib/ids.ts';
import { fatesWritten, writeEndings, type AttemptFate, type Ending } from './trade-endings.ts';
import { LeaseLostError } from './trade-leases.ts';
import { createWriteQueue } from './write-queue.ts';

export interface TradeWithAttempts {
  readonly trade: TradeRow;
  readonly attempts: readonly AttemptRow[];
}

/** A signed transaction that is about to become its trade's next attempt. */
export interface SignedAttempt {
  readonly tradeId: string;
  /** 1, 2, 3 … within the trade. */
  readonly number: number;
  readonly prepared: PreparedTransaction;
  readonly signed: SignedTransaction;
}

interface NewAttempt extends AttemptRow {
  readonly simulated_at: Date;
}

/** What a trade's source writes in the transaction that ends it. */
type InEnding = (trx: Transaction<Schema>, ended: TradeRow) => Promise<void>;

export type TradeStore = ReturnType<typeof createTradeStore>;

/** Every change of a trade after its planning. Each write holds only while `owner` has the trade's lease. */
export function createTradeStore(db: Database, owner: string) {
  async function load(tradeId: string): Promise<TradeWithAttempts> {
    const trade = await db.selectFrom('trades').selectAll().where('id', '=', tradeId).executeTakeFirst();
    if (!trade) throw new Error(`there is no trade ${tradeId}`);
    if (trade.state === 'planned' && trade.signed_at === null) return { trade, attempts: [] };
    const attempts = await db
      .selectFrom('trade_attempts')
      .selectAll()
      .where('trade_id', '=', tradeId)
      .orderBy('number')
      .execute();
    return { trade, attempts };
  }

  /** All trades of a bundle, ended ones too, in the order in which they are its legs. */
  async function loadBundle(bundleId: string): Promise<TradeWithAttempts[]> {
    const [trades, attempts] = await Promise.all([
      db.selectFrom('trades').selectAll().where('bundle_id', '=', bundleId).orderBy('id').execute(),
      db
        .selectFrom('trade_attempts')
        .innerJoin('trades', 'trades.id', 'trade_attempts.trade_id')
        .selectAll('trade_attempts')
        .where('trades.bundle_id', '=', bundleId)
        .orderBy('trade_attempts.number')
        .execute(),
    ]);
    const foreign = trades.find(({ state, lease_owner }) => isOpen(state) && lease_owner !== owner);
    if (foreign) throw new LeaseLostError(foreign.id);
    return trades.map((trade) => ({
      trade,
      attempts: attempts.filter((attempt) => attempt.trade_id === trade.id),
    }));
  }

  /** Locks the trades for one write by their lease holder. */
  async function lockOwned(trx: Transaction<Schema>, tradeIds: readonly string[]): Promise<void> {
    // By the ids alone, as in `commitAll`: the rest is judged of what is locked.
    const locked = await trx
      .selectFrom('trades')
      .select(['id', 'lease_owner', 'state'])
      .where('id', 'in', tradeIds)
      .orderBy('id')
      .forUpdate()
      .execute();
    const owned = new Set(
      locked.filter((row) => row.lease_owner === owner && isOpen(row.state)).map(({ id }) => id),
    );
    const lost = tradeIds.find((id) => !owned.has(id));
    if (lost !== undefined) throw new LeaseLostError(lost);
  }

  const commitInTurn = createWriteQueue(commitAll);

  /**
   * Commits signed attempts, of one trade each and all of them or none: from here on their bytes may be broadcast,
   * before this they may not. Answers 'halted' instead when trading is halted.
   */
  async function commitAttempts(
    signedAttempts: readonly SignedAttempt[],
    simulatedAt: Date,
  ): Promise<AttemptRow[] | 'halted'> {
    const attempts = signedAttempts.map(toAttempt);
    const outcome = await commitInTurn(
      attempts.map((attempt) => ({ ...attempt, simulated_at: simulatedAt })),
    );
    return outcome === 'halted' ? outcome : attempts;
  }

  /** One statement, so one round trip and one commit. Writes nothing unless all of the trades are ours. */
  async function commitAll(attempts: readonly NewAttempt[]): Promise<'committed' | 'halted'> {
    const column = <N extends keyof NewAttempt>(name: N) => attempts.map((attempt) => attempt[name]);
    const { rows } = await sql<{ is_allowed: boolean; committed: bigint }>`
      with gate as materialized (
        select signing_allowed() as is_allowed
      ), made as (
        select * from unnest(
          ${column('id')}::uuid[], ${column('trade_id')}::uuid[], ${column('number')}::integer[],
          ${column('purpose')}::text[], ${column('tx_id')}::text[], ${column('bytes')}::bytea[],
          ${column('nonce')}::numeric[], ${column('last_valid_block_height')}::bigint[],
          ${column('gas_price_units')}::numeric[], ${column('simulated_at')}::timestamptz[],
          ${column('created_at')}::timestamptz[]
        ) as made (
          id, trade_id, number, purpose, tx_id, bytes, nonce, last_valid_block_height, gas_price_units, simulated_at,
          created_at
        )
      ), owned as (
        -- By the ids alone, whatever few open trades there are: an index of those is full of what has just ended.
        select lease_owner, state from trades where id = any(${column('trade_id')}::uuid[])
        order by id for update
      ), signed as (
        update trades
        set state = 'signed', simulated_at = made.simulated_at, signed_at = made.created_at,
          tx_id = case when made.purpose in ('swap', 'transfer') then made.tx_id end
        from gate, made
        where gate.is_allowed and trades.id = made.trade_id and trades.id = any(${column('trade_id')}::uuid[])
          and (
            select count(*) from owned where lease_owner = ${owner} and state in ('planned', 'signed')
          ) = ${attempts.length}
        returning trades.id
      ), committed as (
        insert into trade_attempts (
          id, trade_id, number, purpose, tx_id, bytes, nonce, last_valid_block_height, gas_price_units, state,
          created_at
        )
        select made.id, made.trade_id, number, purpose, tx_id, bytes, nonce, last_valid_block_height, gas_price_units,
          'live', created_at
        from made join signed on signed.id = made.trade_id
        returning id
      )
      select is_allowed, (select count(*) from committed) as committed from gate`.execute(db);
    if (rows[0]?.is_allowed === false) return 'halted';
    if (Number(rows[0]?.committed) !== attempts.length)
      throw new LeaseLostError(attempts.map(({ trade_id }) => trade_id).join(', '));
    return 'committed';
  }

  async function markSent(tradeIds: readonly string[], sentAt: Date): Promise<void> {
    await sql`
      update trades set sent_at = ${sentAt}
      from (
        select id from trades
        where id = any(${tradeIds}::uuid[]) and lease_owner = ${owner} and sent_at is null
        order by id for update
      ) as ours
      where trades.id = ours.id`.execute(db);
  }

  /** These attempts are over and their trades are not done: back to planned, unless another attempt is alive. */
  async function replan(tradeIds: readonly string[], fates: readonly AttemptFate[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockOwned(trx, tradeIds);
      await sql`with ${fatesWritten(fates, new Date())} select`.execute(trx);
      await trx
        .updateTable('trades')
        .set({ state: 'planned', tx_id: null })
        .where('id', 'in', tradeIds)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('trade_attempts')
                .select('trade_attempts.id')
                .whereRef('trade_id', '=', 'trades.id')
                .where('trade_attempts.state', '=', 'live'),
            ),
          ),
        )
        .execute();
    });
  }

  /** What is still open of a bundle need not land together any more. Only while nothing of it is alive. */
  async function takeApart(tradeIds: readonly string[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockOwned(trx, tradeIds);
      await trx
        .updateTable('trades')
        .set({ bundle_id: null })
        .where('id', 'in', tradeIds)
        .where('state', '=', 'planned')
        .execute();
    });
  }

  const endInTurn = createWriteQueue(
    async (endings: readonly Ending[]) => await writeEndings(db, owner, endings, 'released'),
  );

  /**
   * Ends the trade with its attempts' fates and its nonce lane. Where its source has something to say too
   * (`inTransaction`), all of it is one transaction; elsewhere trades that end together share a statement.
   */
  async function end(ending: Ending, inTransaction: InEnding | undefined): Promise<TradeRow> {
    const tradeId = ending.trade.id;
    function own(rows: readonly TradeRow[]): TradeRow {
      const ended = rows.find(({ id }) => id === tradeId);
      if (!ended) throw new LeaseLostError(tradeId);
      return ended;
    }
    if (!inTransaction) return own(await endInTurn([ending]));
    return await db.transaction().execute(async (trx) => {
      const ended = own(await writeEndings(trx, owner, [ending], 'kept'));
      await inTransaction(trx, ended);
      // Last, as who plans a trade locks its source's row first and then waits for the lane: the other way round, the
      // two would wait for each other.
      await sql`delete from nonce_lanes where trade_id = ${tradeId}`.execute(trx);
      return ended;
    });
  }

  return { load, loadBundle, commitAttempts, markSent, replan, takeApart, end };
}

function toAttempt({ tradeId, number, prepared, signed }: SignedAttempt): AttemptRow {
  const { expiry, purpose, gasPriceUnits } = prepared;
  return {
    id: uuidv7(),
    trade_id: tradeId,
    number,
    purpose,
    tx_id: signed.txId,
    bytes: Buffer.from(signed.bytes),
    nonce: expiry.kind === 'nonce' ? expiry.nonce : null,
    last_valid_block_height: expiry.kind === 'block-height' ? expiry.lastValidBlockHeight : null,
    gas_price_units: gasPriceUnits,
    state: 'live',
    fee_units: null,
    height: null,
    created_at: new Date(),
    ended_at: null,
  };
}
