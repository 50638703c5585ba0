import type { ErrorCode, ErrorContext } from '@kervan/contract';
import type { PreparedTransaction, Settlement, SignedTransaction } from '@kervan/chains';
import type { AttemptRow, Database, Queryable, Schema, TradeRow } from '@kervan/database';
import { openStates } from '@kervan/domain';
import { sql, type Transaction } from 'kysely';
import { uuidv7 } from '../lib/ids.ts';
import { LeaseLostError } from './trade-leases.ts';
import { storableContext, storableUnits } from './storable.ts';

export interface TradeWithAttempts {
  readonly trade: TradeRow;
  readonly attempts: readonly AttemptRow[];
}

/** How a trade ends. Figures come from landed transactions only. */
export interface TradeEnd {
  readonly state: 'success' | 'failed' | 'cancelled';
  readonly txId: string | null;
  readonly settlement: Settlement | null;
  readonly error: { readonly code: ErrorCode; readonly context: ErrorContext } | null;
}

/** One attempt's fate, as the chain proved it. */
export interface AttemptFate {
  readonly attemptId: string;
  readonly state: 'landed' | 'dead';
  readonly settlement: Settlement | null;
}

/** What a trade's source writes in the transaction that ends it. */
export type InEnding = (trx: Transaction<Schema>, ended: TradeRow) => Promise<void>;

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

  /** Locks the trade for one write by its lease holder. */
  async function lockOwned(trx: Transaction<Schema>, tradeId: string) {
    const trade = await trx
      .selectFrom('trades')
      .selectAll()
      .where('id', '=', tradeId)
      .where('lease_owner', '=', owner)
      .where('state', 'in', openStates)
      .forUpdate()
      .executeTakeFirst();
    if (!trade) throw new LeaseLostError(tradeId);
    return trade;
  }

  /**
   * Commits a signed attempt: from here on its bytes may be broadcast, before this they may not. Answers
   * 'halted' instead when trading is halted. One statement, so one round trip and one commit.
   */
  async function commitAttempt(
    tradeId: string,
    number: number,
    prepared: PreparedTransaction,
    signed: SignedTransaction,
    simulatedAt: Date,
  ): Promise<AttemptRow | 'halted'> {
    const { expiry, purpose, gasPriceUnits } = prepared;
    const attempt: AttemptRow = {
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
    const { rows } = await sql<{ is_allowed: boolean; is_committed: boolean }>`
      with gate as materialized (
        select signing_allowed() as is_allowed
      ), signed as (
        update trades
        set state = 'signed', simulated_at = ${simulatedAt}, signed_at = ${attempt.created_at},
          tx_id = ${purpose === 'swap' ? signed.txId : null}
        from gate
        where gate.is_allowed and id = ${tradeId} and lease_owner = ${owner} and state in ('planned', 'signed')
        returning id
      ), committed as (
        insert into trade_attempts (
          id, trade_id, number, purpose, tx_id, bytes, nonce, last_valid_block_height, gas_price_units, state,
          created_at
        )
        select ${attempt.id}, id, ${number}, ${purpose}, ${attempt.tx_id}, ${attempt.bytes}, ${attempt.nonce}::numeric,
          ${attempt.last_valid_block_height}::bigint, ${gasPriceUnits}::numeric, 'live', ${attempt.created_at}
        from signed
        returning id
      )
      select is_allowed, exists (select from committed) as is_committed from gate`.execute(db);
    if (rows[0]?.is_allowed === false) return 'halted';
    if (!rows[0]?.is_committed) throw new LeaseLostError(tradeId);
    return attempt;
  }

  async function markSent(tradeId: string, sentAt: Date): Promise<void> {
    await db
      .updateTable('trades')
      .set({ sent_at: sentAt })
      .where('id', '=', tradeId)
      .where('lease_owner', '=', owner)
      .where('sent_at', 'is', null)
      .execute();
  }

  /** These attempts are over and the trade is not done: back to planned, unless another attempt is alive. */
  async function replan(tradeId: string, fates: readonly AttemptFate[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockOwned(trx, tradeId);
      await sql`with ${fatesWritten(fates, new Date())} select`.execute(trx);
      await trx
        .updateTable('trades')
        .set({ state: 'planned', tx_id: null })
        .where('id', '=', tradeId)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('trade_attempts')
                .select('id')
                .where('trade_id', '=', tradeId)
                .where('state', '=', 'live'),
            ),
          ),
        )
        .execute();
    });
  }

  /**
   * Ends the trade with its attempts' fates and its nonce lane in one statement. Where its source has something to
   * say too (`inTransaction`), both are one transaction. The reported fee is that of every landed attempt, approvals
   * included.
   */
  async function end(
    tradeId: string,
    fates: readonly AttemptFate[],
    result: TradeEnd,
    sentAt: Date | null,
    inTransaction: InEnding | undefined,
  ): Promise<TradeRow> {
    const { error, settlement } = result;
    const { native_units, token_units, tip_units, rent_units } = figures(result);
    const now = new Date();
    const laneReleased = sql`, lanes as (delete from nonce_lanes where trade_id in (select id from ended))`;
    const statement = sql<TradeRow>`
      with ended as (
        update trades set
          state = ${result.state}, tx_id = ${result.txId},
          native_units = ${native_units}::numeric, token_units = ${token_units}::numeric,
          tip_units = ${tip_units}::numeric, rent_units = ${rent_units}::numeric,
          fee_units = ${feesLanded(tradeId, fates)},
          error_code = ${error?.code ?? null},
          error_context = ${error && JSON.stringify(storableContext(error.context))}::jsonb,
          sent_at = coalesce(sent_at, ${sentAt}::timestamptz),
          ended_at = ${now},
          -- Blocks tell their time in whole seconds, so a fast one seems to lie before the trade's own beginning.
          executed_at = greatest(planned_at, ${settlement?.landedAt ?? now}::timestamptz),
          lease_owner = null, lease_until = null
        where id = ${tradeId} and lease_owner = ${owner} and state in ('planned', 'signed')
        returning *
      ), ${fatesWritten(fates, now, sql`exists (select from ended)`)}${inTransaction ? sql`` : laneReleased}
      select * from ended`;

    async function write(trx: Queryable): Promise<TradeRow> {
      const { rows } = await statement.execute(trx);
      const [ended] = rows;
      if (!ended) throw new LeaseLostError(tradeId);
      return ended;
    }
    if (!inTransaction) return await write(db);
    return await db.transaction().execute(async (trx) => {
      const ended = await write(trx);
      await inTransaction(trx, ended);
      // Last, as who plans a trade locks its source's row first and then waits for the lane: the other way round, the
      // two would wait for each other.
      await sql`delete from nonce_lanes where trade_id = ${tradeId}`.execute(trx);
      return ended;
    });
  }

  return { load, commitAttempt, markSent, replan, end };
}

function figures({ state, settlement }: TradeEnd) {
  const isSuccess = state === 'success';
  return {
    native_units: settlement && isSuccess ? storableUnits(settlement.nativeUnits) : null,
    token_units: settlement && isSuccess ? storableUnits(settlement.tokenUnits) : null,
    tip_units: settlement && storableUnits(settlement.tipUnits),
    rent_units: settlement && storableUnits(settlement.rentUnits),
  };
}

/** A common table expression that writes down what became of attempts, if the condition holds. */
function fatesWritten(fates: readonly AttemptFate[], endedAt: Date, condition = sql`true`) {
  const records = fates.map(({ attemptId, state, settlement }) => ({
    id: attemptId,
    state,
    fee_units: settlement && storableUnits(settlement.feeUnits).toString(),
    height: settlement && settlement.height.toString(),
  }));
  return sql`fates as (
    update trade_attempts
    set state = fate.state, fee_units = fate.fee_units, height = fate.height, ended_at = ${endedAt}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as fate (id uuid, state text, fee_units numeric, height bigint)
    where trade_attempts.id = fate.id and trade_attempts.state = 'live' and ${condition}
  )`;
}

/** Fees of every attempt that landed: those before, and the one that `fates` tells of. Null if none did. */
function feesLanded(tradeId: string, fates: readonly AttemptFate[]) {
  const landed = fates.find((fate) => fate.settlement !== null);
  const now = landed?.settlement ? storableUnits(landed.settlement.feeUnits) : null;
  return sql`(
    select sum(fee_units) from (
      select fee_units from trade_attempts where trade_id = ${tradeId} and state = 'landed'
      union all select ${now}::numeric
    ) as fees
  )`;
}
