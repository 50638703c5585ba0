import type { TradeRow } from '@kervan/database';
import { describe, expect, test } from 'vitest';
import { endedLine, plannedLine, refusedRunLine } from './log-lines.ts';

const at = new Date(0);
const bought: TradeRow = {
  id: 'trade-1',
  user_id: 'user-1',
  idempotency_key: 'key',
  wallet_id: 'wallet-1',
  wallet_name: 'Wallet',
  wallet_address: 'address',
  chain: 'bsc',
  network: 'sandbox',
  source: 'bot',
  source_id: 'bot-1',
  kind: 'swap',
  recipient: null,
  source_name: 'Bot',
  action: 'buy',
  token_address: 'token',
  token_symbol: 'TOK',
  token_decimals: 8,
  amount_in_units: 15_000_000_000_000_000n,
  slippage_bps: 100,
  gas_choice: null,
  bundle_id: null,
  dex_version: 'v2',
  limit_value_units: 0n,
  state: 'success',
  tx_id: '0xabc',
  native_units: 15_000_000_000_000_000n,
  token_units: 300_000_000n,
  fee_units: 1n,
  tip_units: 0n,
  rent_units: 0n,
  native_price_units: null,
  usd_micros: null,
  error_code: null,
  error_context: null,
  lease_owner: null,
  lease_until: null,
  planned_at: at,
  simulated_at: at,
  signed_at: at,
  sent_at: at,
  ended_at: at,
  executed_at: at,
};

describe('the line of a trade', () => {
  test('that landed has its amounts, its price and its hash', () => {
    expect(endedLine(bought)).toEqual({
      level: 'success',
      message: 'Bought 3 TOK for 0.015 BNB.',
      data: {
        code: 'TRADE_SUCCESS',
        action: 'buy',
        amountSol: '0.015',
        amountTokens: '3',
        nativeSymbol: 'BNB',
        tokenSymbol: 'TOK',
        price: '0.005',
        transactionHash: '0xabc',
        tradeId: 'trade-1',
      },
    });
  });

  test('that failed says why; one that could not be tried is a warning only', () => {
    const failed = { ...bought, state: 'failed', error_code: 'ROUTE_UNAVAILABLE' } as const;
    expect(endedLine(failed)).toMatchObject({
      level: 'error',
      data: { code: 'TRADE_FAILED', reason: 'ROUTE_UNAVAILABLE' },
    });
    expect(endedLine({ ...failed, state: 'cancelled', error_code: 'VAULT_LOCKED' })).toMatchObject({
      level: 'warning',
      data: { code: 'COULD_NOT_TRADE', reason: 'VAULT_LOCKED' },
    });
  });

  test('that is planned says what is about to be traded, counted from one', () => {
    expect(plannedLine(bought, 0n)).toMatchObject({
      level: 'info',
      message: 'Run 1: buying for 0.015 BNB.',
      data: { code: 'RUN_PLANNED', run: 1, amount: '0.015', symbol: 'BNB' },
    });
    expect(plannedLine({ ...bought, action: 'sell', amount_in_units: 5n }, null)).toMatchObject({
      message: 'Trade now: selling 0.00000005 TOK.',
      data: { code: 'TRADE_NOW', run: null },
    });
  });

  test('that was refused keeps the figures of the refusal', () => {
    expect(refusedRunLine('LIMIT_PER_TRADE', { value: '2', limit: '1', symbol: 'SOL' }, 4n)).toEqual({
      level: 'warning',
      message: 'Could not trade: The trade is worth 2 SOL; the limit for one trade is 1 SOL.',
      data: {
        code: 'COULD_NOT_TRADE',
        reason: 'LIMIT_PER_TRADE',
        value: '2',
        limit: '1',
        symbol: 'SOL',
        run: 5,
      },
    });
  });
});
