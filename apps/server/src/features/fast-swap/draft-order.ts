import type { ChainPort, TokenInfo } from '@kervan/chains';
import type { Database } from '@kervan/database';
import type { TradeLimits } from '@kervan/domain';
import type { TradeIntent } from '../../engine/intent.ts';
import type { Networks } from '../../engine/networks.ts';
import { readSettings, tradeLimits } from '../../engine/user-settings.ts';
import { draftTrades, toRefusal, type Draft, type TradeDraft } from './drafts.ts';
import type { Order } from './order.ts';
import { partiesOf } from './parties.ts';
import type { FastSwapRepository } from './repository.ts';

export interface DraftDependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
  readonly repository: Pick<FastSwapRepository, 'wallets'>;
}

/** What an order comes to on the user's network, wallet by wallet. */
export interface DraftedOrder {
  readonly port: ChainPort;
  readonly token: TokenInfo;
  readonly limits: TradeLimits;
  readonly drafts: readonly Draft[];
}

/** Reads and asks, writes nothing. Throws WALLET_NOT_FOUND, TOKEN_NOT_FOUND, NETWORK_UNREACHABLE and the like. */
export async function draftOrder(
  { db, networks, repository }: DraftDependencies,
  userId: string,
  order: Order,
  signal: AbortSignal,
): Promise<DraftedOrder> {
  const [settings, wallets] = await Promise.all([
    readSettings(db, userId),
    repository.wallets(userId, order),
  ]);
  const parties = partiesOf(order, wallets);
  const limits = tradeLimits(settings, order.chain);
  const port = await networks.verifiedPort(order.chain, settings[order.chain].network, userId);
  try {
    const token = await port.describeToken(order.tokenAddress, signal);
    return { port, token, limits, drafts: await draftTrades(port, order, parties, token, limits, signal) };
  } catch (error) {
    throw toRefusal(error, port);
  }
}

/** What the executor is asked for, of one party. */
export function toIntent(
  userId: string,
  fastSwapId: string,
  bundleId: string | undefined,
  { dexVersion, gas }: Order,
  { port, token, limits }: DraftedOrder,
  { party, request, limitValueUnits }: TradeDraft,
): TradeIntent {
  const { walletId, walletName, address } = party;
  return {
    idempotencyKey: `fast-swap:${fastSwapId}:${address}`,
    userId,
    wallet: { id: walletId, name: walletName ?? address, address },
    chain: port.chain,
    network: port.network,
    source: 'fast-swap',
    sourceId: fastSwapId,
    sourceName: null,
    action: request.action,
    token,
    amountInUnits: request.amountInUnits,
    slippageBps: request.slippageBps,
    dexVersion,
    gas,
    ...(bundleId !== undefined && { bundleId }),
    limits,
    limitValueUnits,
  };
}
