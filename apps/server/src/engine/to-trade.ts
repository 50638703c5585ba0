import { errorMessage, isErrorCode, NATIVE, type Language, type Trade } from '@kervan/contract';
import type { TradeRow } from '@kervan/database';
import { formatUnits, tokenPrice, tradeStatus, USD_DECIMALS } from '@kervan/domain';

/** A stored trade as the API shows it. */
export function toTrade(row: TradeRow, language: Language = 'en'): Trade {
  const nativeDecimals = NATIVE[row.chain].decimals;
  const native = (units: bigint | null) => (units === null ? null : formatUnits(units, nativeDecimals));
  const tokens = (units: bigint | null) => (units === null ? null : formatUnits(units, row.token_decimals));

  return {
    id: row.id,
    chain: row.chain,
    network: row.network,
    source: row.source,
    action: row.action,
    status: tradeStatus(row.state),
    amount_sol: native(row.native_units),
    amount_tokens: tokens(row.token_units),
    usd: row.usd_micros === null ? null : formatUnits(row.usd_micros, USD_DECIMALS),
    price: tokenPriceOf(row),
    amount_in: formatUnits(row.amount_in_units, row.action === 'buy' ? nativeDecimals : row.token_decimals),
    fee: native(row.fee_units),
    tip: native(row.tip_units),
    rent: native(row.rent_units),
    token_address: row.token_address,
    token_symbol: row.token_symbol,
    wallet_id: row.wallet_id,
    wallet_name: row.wallet_name,
    wallet_public_key: row.wallet_address,
    bot_id: row.source === 'bot' ? row.source_id : null,
    bot_name: row.source === 'bot' ? row.source_name : null,
    session_id: row.source === 'volume' ? row.source_id : null,
    transaction_hash: row.tx_id,
    error: tradeError(row, language),
    created_at: row.planned_at.toISOString(),
    executed_at: row.executed_at?.toISOString() ?? null,
  };
}

/** US dollars for one token, or null. */
export function tokenPriceOf(
  row: Pick<TradeRow, 'chain' | 'native_units' | 'native_price_units' | 'token_units' | 'token_decimals'>,
): string | null {
  const { native_units: nativeUnits, native_price_units: nativePriceUnits, token_units: tokenUnits } = row;
  if (nativeUnits === null || nativePriceUnits === null || tokenUnits === null) return null;
  return tokenPrice({
    nativeUnits,
    nativeDecimals: NATIVE[row.chain].decimals,
    nativePriceUnits,
    tokenUnits,
    tokenDecimals: row.token_decimals,
  });
}

/** Why the trade did not succeed, or null. */
export function tradeError(
  row: Pick<TradeRow, 'error_code' | 'error_context'>,
  language: Language = 'en',
): Trade['error'] {
  const { error_code: code, error_context: context } = row;
  if (code === null) return null;
  return { code, message: isErrorCode(code) ? errorMessage(code, context ?? {}, language) : code };
}
