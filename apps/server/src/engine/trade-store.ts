import type { ErrorCode, ErrorContext } from '@kervan/contract';
import type { PreparedTransaction, Settlement, SignedTransaction } from '@kervan/chains';
import type { AttemptRow, Database, Schema, TradeRow } from '@kervan/database';
import { openStates, type TradeState } from '@kervan/domain';
import { sql, type Transaction } from 'kysely';
import { uuidv7 } from '../lib/ids.ts';
import { isHalted, takeSigningLock } from './halt.ts';

/** Another process has taken the trade over: whoever hears this stops at once and changes nothing. */
export class LeaseLostError extends Error {
  constructor(tradeId: string) {
    super(`the lease of trade ${tradeId} is held by another process`);
    this.name = 'LeaseLostError';
  }
}

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

export type TradeStore = ReturnType<typeof createTradeStore>;

/** Every change of a trade after its planning. Each write holds only while `owner` has the trade's lease. */
export function createTradeStore(db: Database, owner: string, leaseMs: number) {
  const leaseEnd = () => new Date(Date.now() + leaseMs);

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
  async function lockOwned(trx: Transaction<Schema>, tradeId: string, from: readonly TradeState[]) {
    const trade = await trx
      .selectFrom('trades')
      .selectAll()
      .where('id', '=', tradeId)
      .where('lease_owner', '=', owner)
      .where('state', 'in', from)
      .forUpdate()
      .executeTakeFirst();
    if (!trade) throw new LeaseLostError(tradeId);
    return trade;
  }

  /**
   * Commits a signed attempt: from here on its bytes may be broadcast, before this they may not. Answers
   * 'halted' instead when trading is halted; the shared lock makes a halt that has returned final.
   */
  async function commitAttempt(
    tradeId: string,
    number: number,
    prepared: PreparedTransaction,
    signed: SignedTransaction,
    simulatedAt: Date,
  ): Promise<AttemptRow | 'halted'> {
    return await db.transaction().execute(async (trx) => {
      await takeSigningLock(trx);
      if (await isHalted(trx)) return 'halted';
      const { numUpdatedRows } = await trx
        .updateTable('trades')
        .set({
          state: 'signed',
          simulated_at: simulatedAt,
          signed_at: new Date(),
          tx_id: prepared.purpose === 'swap' ? signed.txId : null,
        })
        .where('id', '=', tradeId)
        .where('lease_owner', '=', owner)
        .where('state', 'in', openStates)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) throw new LeaseLostError(tradeId);
      return await trx
        .insertInto('trade_attempts')
        .values({
          id: uuidv7(),
          trade_id: tradeId,
          number,
          purpose: prepared.purpose,
          tx_id: signed.txId,
          bytes: Buffer.from(signed.bytes),
          nonce: prepared.expiry.kind === 'nonce' ? prepared.expiry.nonce : null,
          last_valid_block_height:
            prepared.expiry.kind === 'block-height' ? prepared.expiry.lastValidBlockHeight : null,
          gas_price_units: prepared.gasPriceUnits,
          state: 'live',
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
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

  /** No attempt is alive any more and the trade is not done: back to planned, so that another can be made. */
  async function replan(tradeId: string, fates: readonly AttemptFate[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockOwned(trx, tradeId, ['signed']);
      await writeFates(trx, fates);
      await trx
        .updateTable('trades')
        .set({ state: 'planned', tx_id: null })
        .where('id', '=', tradeId)
        .execute();
    });
  }

  /**
   * Ends the trade in one transaction with its attempts' fates, its nonce lane and whatever its source has to say
   * (`inTransaction`). The reported fee is that of every landed attempt, approvals included.
   */
  async function end(
    tradeId: string,
    fates: readonly AttemptFate[],
    result: TradeEnd,
    sentAt: Date | null,
    inTransaction: (trx: Transaction<Schema>, trade: TradeRow) => Promise<void>,
  ): Promise<TradeRow> {
    return await db.transaction().execute(async (trx) => {
      const open = await lockOwned(trx, tradeId, openStates);
      await writeFates(trx, fates);
      const feeUnits = open.signed_at === null ? null : await landedFees(trx, tradeId);
      const now = new Date();
      const { settlement } = result;
      const trade = await trx
        .updateTable('trades')
        .set({
          state: result.state,
          tx_id: result.txId,
          native_units: result.state === 'success' ? (settlement?.nativeUnits ?? null) : null,
          token_units: result.state === 'success' ? (settlement?.tokenUnits ?? null) : null,
          fee_units: feeUnits,
          tip_units: settlement?.tipUnits ?? null,
          rent_units: settlement?.rentUnits ?? null,
          error_code: result.error?.code ?? null,
          error_context: result.error ? JSON.stringify(result.error.context) : null,
          sent_at: open.sent_at ?? sentAt,
          ended_at: now,
          executed_at: settlement?.landedAt ?? now,
          lease_owner: null,
          lease_until: null,
        })
        .where('id', '=', tradeId)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (open.chain === 'bsc') await trx.deleteFrom('nonce_lanes').where('trade_id', '=', tradeId).execute();
      await inTransaction(trx, trade);
      return trade;
    });
  }

  /** Keeps the leases of the trades that this process drives. */
  async function renewLeases(tradeIds: readonly string[]): Promise<void> {
    if (tradeIds.length === 0) return;
    await db
      .updateTable('trades')
      .set({ lease_until: leaseEnd() })
      .where('id', 'in', tradeIds)
      .where('lease_owner', '=', owner)
      .where('state', 'in', openStates)
      .execute();
  }

  /** Takes open trades over whose process has not renewed its lease in time. */
  async function adoptAbandoned(limit: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      update trades set lease_owner = ${owner}, lease_until = ${leaseEnd()}
      where id in (
        select id from trades
        where state in ('planned', 'signed') and lease_until < ${new Date()}
        order by lease_until limit ${limit}
        for update skip locked
      )
      returning id`.execute(db);
    return rows.map((row) => row.id);
  }

  /** Gives up the leases of this process, so that another one need not wait for them to run out. */
  async function releaseLeases(): Promise<void> {
    await db
      .updateTable('trades')
      .set({ lease_until: new Date(0) })
      .where('lease_owner', '=', owner)
      .where('state', 'in', openStates)
      .execute();
  }

  return { load, commitAttempt, markSent, replan, end, renewLeases, adoptAbandoned, releaseLeases, leaseEnd };
}

async function writeFates(trx: Transaction<Schema>, fates: readonly AttemptFate[]): Promise<void> {
  for (const fate of fates) {
    await trx
      .updateTable('trade_attempts')
      .set({
        state: fate.state,
        fee_units: fate.settlement?.feeUnits ?? null,
        height: fate.settlement?.height ?? null,
        ended_at: new Date(),
      })
      .where('id', '=', fate.attemptId)
      .where('state', '=', 'live')
      .execute();
  }
}

async function landedFees(trx: Transaction<Schema>, tradeId: string): Promise<bigint | null> {
  const row = await trx
    .selectFrom('trade_attempts')
    .select(({ fn }) => fn.sum<bigint | null>('fee_units').as('fees'))
    .where('trade_id', '=', tradeId)
    .where('state', '=', 'landed')
    .executeTakeFirst();
  return row?.fees ?? null;
}
