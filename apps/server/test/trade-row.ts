import type { NewTrade } from '@kervan/database';
import { uuidv7 } from '../src/lib/ids.ts';

let serial = 0;

type Given = Pick<NewTrade, 'user_id' | 'wallet_id'> & Partial<NewTrade>;

/** A trade for the database: a bot's buy that landed in a minute of its own, as far as nothing else is given. */
export function tradeRow(given: Given): NewTrade {
  serial += 1;
  const isOpen = given.state === 'planned' || given.state === 'signed';
  const at = new Date(Date.UTC(2026, 0, 1, 0, serial));
  return {
    id: uuidv7(),
    idempotency_key: `trade-${serial}`,
    wallet_name: 'W',
    wallet_address: 'address',
    chain: 'solana',
    network: 'sandbox',
    source: 'bot',
    source_id: null,
    source_name: 'Bot',
    action: 'buy',
    token_address: 'token',
    token_symbol: 'TOK',
    token_decimals: 6,
    amount_in_units: 1_500_000_000n,
    slippage_bps: 100,
    limit_value_units: 0n,
    state: 'success',
    tx_id: `tx-${serial}`,
    native_units: 1_500_000_000n,
    token_units: 2_000_001n,
    fee_units: 5_000n,
    tip_units: 0n,
    rent_units: -2_039_280n,
    planned_at: at,
    executed_at: isOpen ? null : at,
    ended_at: isOpen ? null : at,
    ...given,
  };
}
