import { NATIVE, type ErrorCode, type ErrorContext } from '@kervan/contract';
import type { Settlement } from '@kervan/chains';
import type { Queryable, TradeRow } from '@kervan/database';
import { storableMicros, usdMicros } from '@kervan/domain';
import { sql } from 'kysely';
import { storableContext, storableUnits } from './storable.ts';

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

/** A trade that is about to end. */
export interface Ending {
  readonly trade: Pick<TradeRow, 'id' | 'chain'>;
  readonly fates: readonly AttemptFate[];
  readonly end: TradeEnd;
  /** What one SOL or BNB is worth now, by which the trade's worth is told from then on. */
  readonly priceUnits: bigint | null;
  readonly sentAt: Date | null;
}

/**
 * Ends trades with their attempts' fates, by one statement. Answers with the ended rows: a trade whose lease is no
 * longer `owner`'s is not among them and stays as it is. The reported fee is that of every landed attempt, approvals
 * included.
 *
 * @param lanes whether the trades' nonce lanes become free by the same statement
 */
export async function writeEndings(
  db: Queryable,
  owner: string,
  endings: readonly Ending[],
  lanes: 'released' | 'kept',
): Promise<TradeRow[]> {
  const now = new Date();
  const ids = endings.map(({ trade }) => trade.id);
  const laneReleased = sql`, lanes as (delete from nonce_lanes where trade_id in (select id from ended))`;
  const { rows } = await sql<TradeRow>`
    with ending as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(endings.map(recordOf))}::jsonb) as ending (
        id uuid, state text, tx_id text, native_units numeric, token_units numeric, tip_units numeric,
        rent_units numeric, landed_fee_units numeric, native_price_units numeric, usd_micros bigint, error_code text,
        error_context jsonb, sent_at timestamptz, landed_at timestamptz
      )
    ), owned as (
      -- In one order, so that two statements over the same trades wait one for the other and not both for each other.
      -- By the ids alone, whatever few open trades there are: an index of those is full of what has just ended.
      select id, lease_owner, state from trades where id = any(${ids}::uuid[])
      order by id for update
    ), ended as (
      update trades set
        state = ending.state, tx_id = ending.tx_id,
        native_units = ending.native_units, token_units = ending.token_units,
        tip_units = ending.tip_units, rent_units = ending.rent_units,
        fee_units = (
          select sum(fee_units) from (
            select fee_units from trade_attempts where trade_id = ending.id and state = 'landed'
            union all select ending.landed_fee_units
          ) as fees
        ),
        native_price_units = ending.native_price_units, usd_micros = ending.usd_micros,
        error_code = ending.error_code, error_context = ending.error_context,
        sent_at = coalesce(trades.sent_at, ending.sent_at),
        ended_at = ${now},
        -- Blocks tell their time in whole seconds, so a fast one seems to lie before the trade's own beginning.
        executed_at = greatest(planned_at, coalesce(ending.landed_at, ${now}::timestamptz)),
        lease_owner = null, lease_until = null
      from ending
      where trades.id = any(${ids}::uuid[]) and trades.id = ending.id and trades.id in (
        select id from owned where lease_owner = ${owner} and state in ('planned', 'signed')
      )
      returning trades.*
    ), ${fatesWritten(
      endings.flatMap(({ fates }) => fates),
      now,
      sql`trade_id in (select id from ended)`,
    )}${lanes === 'released' ? laneReleased : sql``}
    select * from ended`.execute(db);
  return rows;
}

function recordOf({ trade, fates, end, priceUnits, sentAt }: Ending) {
  const { state, txId, settlement, error } = end;
  const traded = state === 'success' ? settlement : null;
  const nativeUnits = traded && storableUnits(traded.nativeUnits);
  const usd =
    nativeUnits === null || priceUnits === null
      ? null
      : storableMicros(usdMicros(nativeUnits, NATIVE[trade.chain].decimals, priceUnits));
  const landed = fates.find((fate) => fate.settlement !== null)?.settlement;
  return {
    id: trade.id,
    state,
    tx_id: txId,
    native_units: stored(traded?.nativeUnits),
    token_units: stored(traded?.tokenUnits),
    tip_units: stored(settlement?.tipUnits),
    rent_units: stored(settlement?.rentUnits),
    landed_fee_units: stored(landed?.feeUnits),
    native_price_units: priceUnits?.toString() ?? null,
    usd_micros: usd?.toString() ?? null,
    error_code: error?.code ?? null,
    error_context: error && storableContext(error.context),
    sent_at: sentAt,
    landed_at: settlement?.landedAt ?? null,
  };
}

/** As text: JSON's numbers are too short for units. */
function stored(units: bigint | undefined): string | null {
  return units === undefined ? null : storableUnits(units).toString();
}

/** A common table expression that writes down what became of attempts, where the condition holds. */
export function fatesWritten(fates: readonly AttemptFate[], endedAt: Date, condition = sql`true`) {
  const records = fates.map(({ attemptId, state, settlement }) => ({
    id: attemptId,
    state,
    fee_units: stored(settlement?.feeUnits),
    height: settlement && settlement.height.toString(),
  }));
  const ids = fates.map(({ attemptId }) => attemptId);
  return sql`fates as (
    update trade_attempts
    set state = fate.state, fee_units = fate.fee_units, height = fate.height, ended_at = ${endedAt}
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as fate (id uuid, state text, fee_units numeric, height bigint)
    -- Told twice, so that a plan made while there are few attempts finds them by their index too.
    where trade_attempts.id = any(${ids}::uuid[]) and trade_attempts.id = fate.id
      and trade_attempts.state = 'live' and ${condition}
  )`;
}
