import { KervanError } from '@kervan/contract';
import type { SwapIntent } from '../../engine/intent.ts';
import type { PlannedRun } from '../../engine/scheduler.ts';
import type { Choices } from '../../engine/user-settings.ts';
import { isSameTrade, ownWeight, wishForRun, type Wish } from './intents.ts';
import type { BotWithWallet } from './repository.ts';

/** What a quote asked for beforehand says of a wish, by bot. */
export type Weights = ReadonlyMap<string, Weighed>;
interface Weighed {
  readonly wish: Wish;
  readonly weight: bigint | KervanError;
}

export interface CurrentRun {
  readonly bot: BotWithWallet;
  readonly run: bigint;
  /** What to plan, or why there is nothing that could be. */
  readonly intent: SwapIntent | KervanError;
}

/**
 * `current`: the runs to be done now, one a bot. `others`: jobs that are not their bot's current one (done before,
 * or the bot was edited or started again since), or whose quote was for another trade, each as the run that its bot
 * does wait for. Jobs of bots that are not among `bots`, the active ones, are done with.
 */
export function sortRuns(
  runs: readonly PlannedRun[],
  bots: ReadonlyMap<string, BotWithWallet>,
  settingsOf: (userId: string) => Choices,
  weights: Weights,
): { current: CurrentRun[]; others: PlannedRun[] } {
  const current = new Map<string, CurrentRun>();
  const others = new Map<string, PlannedRun>();
  for (const { botId, run, dueAt } of runs) {
    const bot = bots.get(botId);
    if (!bot?.next_run_at || current.has(botId)) continue;
    const wish = wishForRun(bot, run, settingsOf(bot.user_id));
    const intent = wish ? weigh(wish, weights.get(botId)) : new KervanError('BOT_TOKEN_REQUIRED');
    const isCurrent = bot.run_count === run && bot.next_run_at.getTime() === dueAt.getTime();
    if (isCurrent && intent) current.set(botId, { bot, run, intent });
    else others.set(botId, { botId, run: bot.run_count, dueAt: bot.next_run_at });
  }
  for (const botId of current.keys()) others.delete(botId);
  return { current: [...current.values()], others: [...others.values()] };
}

/** Undefined if the wish needs a quote that was asked for another trade, or for none. */
function weigh(wish: Wish, known: Weighed | undefined): SwapIntent | KervanError | undefined {
  const own = ownWeight(wish);
  if (own !== undefined) return { ...wish, limitValueUnits: own };
  if (!known || !isSameTrade(known.wish, wish)) return undefined;
  return known.weight instanceof KervanError ? known.weight : { ...wish, limitValueUnits: known.weight };
}
