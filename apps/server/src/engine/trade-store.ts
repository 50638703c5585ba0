import type { ErrorCode, ErrorContext } from '@kervan/contract';
import type { PreparedTransaction, Settlement, SignedTransaction } from '@kervan/chains';
import type { AttemptRow, Database, Schema, TradeRow } from '@kervan/database';
import { openStates } from '@kervan/domain';
import type { Transaction } from 'kysely';
import { uuidv7 } from '../lib/ids.ts';
import { isHalted, takeSigningLock } from './halt.ts';
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

  /** These attempts are over and the trade is not done: back to planned, unless another attempt is alive. */
  async function replan(tradeId: string, fates: readonly AttemptFate[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await lockOwned(trx, tradeId);
      await writeFates(trx, fates);
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
      const open = await lockOwned(trx, tradeId);
      await writeFates(trx, fates);
      const feeUnits = open.signed_at === null ? null : await landedFees(trx, tradeId);
      const now = new Date();
      const { settlement } = result;
      const trade = await trx
        .updateTable('trades')
        .set({
          state: result.state,
          tx_id: result.txId,
          ...figures(result),
          fee_units: feeUnits,
          error_code: result.error?.code ?? null,
          error_context: result.error ? JSON.stringify(storableContext(result.error.context)) : null,
          sent_at: open.sent_at ?? sentAt,
          ended_at: now,
          // Blocks tell their time in whole seconds, so a fast one seems to lie before the trade's own beginning.
          executed_at: latest(open.planned_at, settlement?.landedAt ?? now),
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

  return { load, commitAttempt, markSent, replan, end };
}

function figures({ state, settlement }: TradeEnd) {
  if (!settlement) return {};
  const isSuccess = state === 'success';
  return {
    native_units: isSuccess ? storableUnits(settlement.nativeUnits) : null,
    token_units: isSuccess ? storableUnits(settlement.tokenUnits) : null,
    tip_units: storableUnits(settlement.tipUnits),
    rent_units: storableUnits(settlement.rentUnits),
  };
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}

async function writeFates(trx: Transaction<Schema>, fates: readonly AttemptFate[]): Promise<void> {
  for (const fate of fates) {
    await trx
      .updateTable('trade_attempts')
      .set({
        state: fate.state,
        fee_units: fate.settlement && storableUnits(fate.settlement.feeUnits),
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
