import { NATIVE, type Chain, type Network } from '@kervan/contract';
import type { AttemptRow, Database, TradeRow } from '@kervan/database';
import { usdMicros } from '@kervan/domain';
import type { Movement, ReadMovement } from './chain-movements.ts';

export interface Verified {
  /** Ended trades that were held against their chain. */
  readonly trades: number;
  /** Signed transactions that the chains were asked about. */
  readonly transactions: number;
  /** Trades that have not ended: nothing is claimed of them yet. */
  readonly open: number;
  /** One line for each figure that the chain tells otherwise. */
  readonly differences: readonly string[];
}

/** Trades read and asked about together. */
const PORTION = 20;

/**
 * Computes the amounts of every ended trade anew from the chains' records and compares: native, tokens, fee, tip, rent
 * and worth to the base unit, success and failure, and that what is called dead is on no chain.
 */
export async function verifyTrades(
  db: Database,
  readerOf: (chain: Chain, network: Network) => ReadMovement,
): Promise<Verified> {
  const differences: string[] = [];
  const counted = { trades: 0, transactions: 0 };
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const trades = await db
      .selectFrom('trades')
      .selectAll()
      .where('id', '>', last)
      .where('ended_at', 'is not', null)
      .orderBy('id')
      .limit(PORTION)
      .execute();
    if (trades.length === 0) break;
    const ids = trades.map(({ id }) => id);
    const attempts = await db
      .selectFrom('trade_attempts')
      .selectAll()
      .where('trade_id', 'in', ids)
      .orderBy('number')
      .execute();
    const found = await Promise.all(
      trades.map((trade) =>
        differencesOf(
          trade,
          attempts.filter(({ trade_id }) => trade_id === trade.id),
          readerOf(trade.chain, trade.network),
        ),
      ),
    );
    differences.push(...found.flat());
    counted.trades += trades.length;
    counted.transactions += attempts.length;
    last = ids.at(-1) ?? last;
  }
  const { open } = await db
    .selectFrom('trades')
    .select(({ fn }) => fn.countAll<bigint>().as('open'))
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { ...counted, open: Number(open), differences };
}

async function differencesOf(
  trade: TradeRow,
  attempts: readonly AttemptRow[],
  read: ReadMovement,
): Promise<string[]> {
  const movements = await Promise.all(attempts.map(({ tx_id }) => read(tx_id, trade)));
  const differences: string[] = [];
  const compare = (what: string, stored: unknown, onChain: unknown): void => {
    if (stored !== onChain)
      differences.push(
        `${trade.chain} ${trade.network}, trade ${trade.id}: ${what} is ${String(stored)}, the chain says ${String(onChain)}`,
      );
  };

  let swap: Movement | undefined;
  let fees: bigint | null = null;
  attempts.forEach((attempt, index) => {
    const movement = movements[index];
    compare(`that ${attempt.tx_id} landed`, attempt.state === 'landed', movement !== undefined);
    if (!movement) return;
    compare(`the fee of ${attempt.tx_id}`, attempt.fee_units, movement.feeUnits);
    fees = (fees ?? 0n) + movement.feeUnits;
    if (attempt.purpose === 'swap') swap = movement;
  });
  compare('its success', trade.state === 'success', swap?.isSuccess === true);
  compare('its fee', trade.fee_units, fees);
  const isSuccess = swap?.isSuccess === true;
  const native = isSuccess ? (swap?.nativeUnits ?? null) : null;
  compare('its native amount', trade.native_units, native);
  compare('its token amount', trade.token_units, isSuccess ? (swap?.tokenUnits ?? null) : null);
  if (swap) {
    compare('its tip', trade.tip_units, swap.tipUnits);
    compare('its rent', trade.rent_units, swap.rentUnits);
  }
  const price = trade.native_price_units;
  const usd =
    native === null || price === null ? null : usdMicros(native, NATIVE[trade.chain].decimals, price);
  compare('its worth', trade.usd_micros, usd);
  return differences;
}
