import { KervanError } from '@kervan/contract';
import { networkName } from '@kervan/chains';
import { hasLimits } from '@kervan/domain';
import type { SwapIntent } from '../../engine/intent.ts';
import { limitValue } from '../../engine/limit-value.ts';
import type { Networks } from '../../engine/networks.ts';
import { tradeLimits, type Choices } from '../../engine/user-settings.ts';
import { drawNumberOf, runAmount } from './draws.ts';
import type { BotWithWallet } from './repository.ts';

/** A trade that a bot wants, before its weight against the limits is known. */
export type Wish = Omit<SwapIntent, 'limitValueUnits'>;

/** A sell's quote is waited for no longer: without it the run can't be weighed and is not done. */
const QUOTE_TIMEOUT_MS = 2_000;

export function wishForRun(bot: BotWithWallet, run: bigint, settings: Choices): Wish | undefined {
  return wish(bot, `bot:${bot.id}:run:${run}`, runAmount(bot, run), settings);
}

/** Under which key a trade outside the schedule is stored. */
export function keyOfNow(botId: string, key: string): string {
  return `bot:${botId}:now:${key}`;
}

/** A trade outside the schedule: the same one for the same key. */
export function wishForKey(bot: BotWithWallet, key: string, settings: Choices): Wish | undefined {
  return wish(bot, keyOfNow(bot.id, key), runAmount(bot, drawNumberOf(key)), settings);
}

function wish(
  bot: BotWithWallet,
  idempotencyKey: string,
  amountInUnits: bigint | undefined,
  settings: Choices,
): Wish | undefined {
  if (bot.token_address === null || bot.token_decimals === null || amountInUnits === undefined)
    return undefined;
  return {
    idempotencyKey,
    userId: bot.user_id,
    wallet: { id: bot.wallet_id, name: bot.wallet_name, address: bot.wallet_address },
    chain: bot.chain,
    network: bot.network,
    source: 'bot',
    sourceId: bot.id,
    sourceName: bot.name,
    action: bot.action,
    token: { address: bot.token_address, symbol: bot.token_symbol, decimals: bot.token_decimals },
    amountInUnits,
    slippageBps: bot.slippage_bps,
    dexVersion: bot.dex_version,
    gas: null,
    limits: tradeLimits(settings, bot.chain),
  };
}

/** What the wish weighs against its limits as far as it says so itself; undefined for what only a quote can tell. */
export function ownWeight(wish: Wish): bigint | undefined {
  if (wish.action === 'buy') return wish.amountInUnits;
  return hasLimits(wish.limits) ? undefined : 0n;
}

/** Native value of the wish against its limits, or why it can't be told. Asks the network for sells under limits only. */
export async function weigh(networks: Pick<Networks, 'port'>, wish: Wish): Promise<bigint | KervanError> {
  const own = ownWeight(wish);
  if (own !== undefined) return own;
  try {
    return await limitValue(
      networks.port(wish.chain, wish.network, wish.userId),
      {
        owner: wish.wallet.address,
        action: wish.action,
        tokenAddress: wish.token.address,
        amountInUnits: wish.amountInUnits,
        slippageBps: wish.slippageBps,
        ...(wish.dexVersion !== null && { dexVersion: wish.dexVersion }),
      },
      wish.limits,
      AbortSignal.timeout(QUOTE_TIMEOUT_MS),
    );
  } catch (error) {
    if (error instanceof KervanError) return error;
    return new KervanError('NETWORK_UNREACHABLE', { network: networkName(wish) }, { cause: error });
  }
}

/** Whether a weight found for `weighed` holds for `wish`: the bot may have been edited in between. */
export function isSameTrade(weighed: Wish, wish: Wish): boolean {
  return (
    weighed.idempotencyKey === wish.idempotencyKey &&
    weighed.action === wish.action &&
    weighed.token.address === wish.token.address &&
    weighed.amountInUnits === wish.amountInUnits &&
    weighed.dexVersion === wish.dexVersion
  );
}
