import type { BscBot, ServerEvent, SolanaBot } from '@kervan/contract';
import type { BotRow } from '@kervan/database';

function common(row: BotRow) {
  return {
    id: row.id,
    name: row.name,
    wallet_id: row.wallet_id,
    action: row.action,
    amount_min: row.amount_min,
    amount_max: row.amount_max,
    range_time_min: row.range_time_min,
    range_time_max: row.range_time_max,
    is_active: row.is_active,
    last_run: row.last_run?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    execution_count: row.execution_count,
    network: row.network,
    token_symbol: row.token_symbol,
    nextRunAt: row.is_active ? (row.next_run_at?.getTime() ?? null) : null,
    intervalSec: row.is_active && row.interval_ms !== null ? row.interval_ms / 1000 : null,
  };
}

export function toSolanaBot(row: BotRow): SolanaBot {
  // A Solana bot is not created without a token, and an edit can't take it away.
  return { ...common(row), token_address: row.token_address ?? '' };
}

export function toBscBot(row: BotRow): BscBot {
  return {
    ...common(row),
    token_address: row.token_address,
    slippage_percent: row.slippage_bps / 100,
    pancakeswap_version: row.dex_version ?? 'v2',
  };
}

/** The `bot:status` event (spec §3): the bot as it stands after what `message` names. */
export function botStatus(
  row: Pick<BotRow, 'id' | 'chain' | 'is_active' | 'next_run_at' | 'interval_ms'>,
  message: ServerEvent<'bot:status'>['message'],
): ServerEvent<'bot:status'> {
  return {
    botId: row.id,
    chain: row.chain,
    status: message === 'stopped' ? 'stopped' : 'started',
    message,
    nextRunAt: row.is_active ? (row.next_run_at?.getTime() ?? null) : null,
    intervalSec: row.is_active && row.interval_ms !== null ? row.interval_ms / 1000 : null,
    is_active: row.is_active,
  };
}
