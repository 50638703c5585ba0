import type { Chain } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import type { Queryable } from '@kervan/database';
import type { Networks } from './networks.ts';
import { readSettings } from './user-settings.ts';

/** The port of the network that the user has chosen for the chain, through the user's own node where there is one. */
export async function chosenPort(
  { db, networks }: { readonly db: Queryable; readonly networks: Pick<Networks, 'verifiedPort'> },
  userId: string,
  chain: Chain,
): Promise<ChainPort> {
  const settings = await readSettings(db, userId);
  return await networks.verifiedPort(chain, settings[chain].network, userId);
}
