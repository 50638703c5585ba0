import { randomUUID } from 'node:crypto';
import { KervanError } from '@kervan/contract';
import type { Database, Queryable } from '@kervan/database';
import type { Executor } from '../../engine/executor.ts';
import type { Networks } from '../../engine/networks.ts';
import { toTrade } from '../../engine/to-trade.ts';
import { readSettings } from '../../engine/user-settings.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import type { BotLogs } from './bot-log.ts';
import { isSameTrade, keyOfNow, weigh, wishForKey, type Wish } from './intents.ts';
import { plannedLine } from './log-lines.ts';
import { findBotWithWallet, type BotWithWallet, type OwnedBot } from './repository.ts';

interface Dependencies {
  readonly db: Database;
  readonly executor: Pick<Executor, 'plan' | 'driveInBackground'>;
  readonly networks: Pick<Networks, 'port'>;
  readonly logs: BotLogs;
  readonly notifier: Notifier;
}

export type ExecuteNow = ReturnType<typeof createExecuteNow>;

/**
 * One trade of a bot outside its schedule, running or not. Answers as soon as the trade is committed; the trade goes
 * on by itself. The same key answers the same trade.
 */
export function createExecuteNow({ db, executor, networks, logs, notifier }: Dependencies) {
  async function botOf(trx: Queryable, owned: OwnedBot, isLocked: boolean): Promise<BotWithWallet> {
    const bot = await findBotWithWallet(trx, owned, { isLocked });
    if (!bot) throw new KervanError('BOT_NOT_FOUND');
    return bot;
  }

  async function wishOf(trx: Queryable, bot: BotWithWallet, key: string): Promise<Wish> {
    const wish = wishForKey(bot, key, await readSettings(trx, bot.user_id));
    if (!wish) throw new KervanError('BOT_TOKEN_REQUIRED');
    return wish;
  }

  /** The trade that the key has made already, however the bot was edited since. */
  async function findEarlier({ userId, botId }: OwnedBot, key: string): Promise<string | undefined> {
    const trade = await db
      .selectFrom('trades')
      .select('id')
      .where('user_id', '=', userId)
      .where('idempotency_key', '=', keyOfNow(botId, key))
      .executeTakeFirst();
    return trade?.id;
  }

  async function planOnce(owned: OwnedBot, key: string): Promise<{ tradeId: string } | 'edited'> {
    const bot = await botOf(db, owned, false);
    // A repeated request needs no node: neither its answer nor its haste depends on one.
    const earlier = await findEarlier(owned, key);
    if (earlier !== undefined) return { tradeId: earlier };
    const weighed = await wishOf(db, bot, key);
    const weight = await weigh(networks, weighed);
    if (weight instanceof KervanError) throw weight;

    const outcome = await db.transaction().execute(async (trx) => {
      const wish = await wishOf(trx, await botOf(trx, owned, true), key);
      if (!isSameTrade(weighed, wish)) return 'edited';
      const intent = { ...wish, limitValueUnits: weight };
      const { tradeId, trade } = await executor.plan(trx, intent, { prepareAhead: true });
      if (!trade) return { tradeId, trade, tell: () => {} };
      const tellLog = await logs.append(trx, [
        { botId: owned.botId, userId: owned.userId, ...plannedLine(trade, null) },
      ]);
      const tell = () => {
        tellLog();
        notifier.emit(owned.userId, 'trade:updated', toTrade(trade));
      };
      return { tradeId, trade, tell };
    });
    if (outcome === 'edited') return outcome;
    outcome.tell();
    executor.driveInBackground(outcome.tradeId, outcome.trade);
    return { tradeId: outcome.tradeId };
  }

  return async function executeNow(
    owned: OwnedBot,
    key: string = randomUUID(),
  ): Promise<{ tradeId: string }> {
    for (;;) {
      const planned = await planOnce(owned, key);
      if (planned !== 'edited') return planned;
    }
  };
}
