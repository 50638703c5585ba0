import type { Chain, Network } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { openStates } from '@kervan/domain';
import { sql } from 'kysely';
import { DEFAULT_SETTINGS } from './user-settings.ts';

export type IsInUse = (chain: Chain, network: Network) => boolean;

/**
 * Which networks something depends on: a user has chosen them, an active bot trades there, a volume session has not
 * ended there, or a trade is open there.
 * Whoever has not chosen yet, the first user to come included, is on the default ones.
 */
export async function readNetworksInUse(db: Database): Promise<IsInUse> {
  const chosen = (chain: Chain) =>
    sql`select distinct ${chain}, coalesce(data #>> array[${chain}, 'network'], ${DEFAULT_SETTINGS[chain].network})
        from (select 1) one left join users on true left join settings on settings.user_id = users.id`;
  const { rows } = await sql<{ chain: Chain; network: Network }>`
    select chain, network from bots where is_active and deleted_at is null
    union select chain, network from volume_sessions where state <> 'ended'
    union select chain, network from trades where state = any(${openStates})
    union (${chosen('solana')})
    union (${chosen('bsc')})`.execute(db);
  const inUse = new Set(rows.map(({ chain, network }) => `${chain} ${network}`));
  return (chain, network) => inUse.has(`${chain} ${network}`);
}
