import { NATIVE, type EnterpriseLog } from '@kervan/contract';
import type { TradeRow } from '@kervan/database';
import { formatUnits, USD_DECIMALS } from '@kervan/domain';
import { tokenPriceOf } from '../../engine/to-trade.ts';

/** What an enterprise log shows of a trade. */
export type LoggedTrade = Pick<
  TradeRow,
  | 'id'
  | 'chain'
  | 'network'
  | 'action'
  | 'token_address'
  | 'token_symbol'
  | 'token_decimals'
  | 'token_units'
  | 'native_units'
  | 'native_price_units'
  | 'usd_micros'
  | 'wallet_address'
  | 'tx_id'
  | 'executed_at'
>;

/** A successful trade as an entry of the enterprise logs. */
export function toEnterpriseLog(row: LoggedTrade): EnterpriseLog {
  const { native_units: nativeUnits, token_units: tokenUnits, tx_id: txn, executed_at: executedAt } = row;
  if (nativeUnits === null || tokenUnits === null || txn === null || executedAt === null)
    throw new Error(`the successful trade ${row.id} has no figures`);
  const native = formatUnits(nativeUnits, NATIVE[row.chain].decimals);
  const entry = {
    id: row.id,
    date: executedAt.toISOString(),
    type: row.action,
    network: row.network,
    usd: row.usd_micros === null ? null : formatUnits(row.usd_micros, USD_DECIMALS),
    tokenAmount: formatUnits(tokenUnits, row.token_decimals),
    tokenAddress: row.token_address,
    tokenSymbol: row.token_symbol,
    price: tokenPriceOf(row),
    maker: row.wallet_address,
    txn,
  };
  return row.chain === 'solana'
    ? { ...entry, chain: 'solana', solAmount: native }
    : { ...entry, chain: 'bsc', bnbAmount: native };
}
