import { useRef } from 'react';
import type { BodySentTo, Chain, routes } from '@kervan/contract';
import { isApiError } from '../../lib/api-error.ts';
import type { Bot } from '../../lib/bot.ts';
import { addLocalBotLog } from '../../lib/local-bot-log.ts';
import { routeKey } from '../../lib/query.ts';
import { randomId } from '../../lib/random-id.ts';
import { useServices } from '../../lib/services.ts';
import type { CheckedBot } from './bot-values.ts';

type SolanaEdit = BodySentTo<(typeof routes)['updateBot']>;
type BscEdit = BodySentTo<(typeof routes)['updateBscBot']>;

/** What can be done to the bots of a chain. The list changes only when the server says that it was done (spec §4). */
export function useBotCommands(chain: Chain) {
  const { api, live, queryClient } = useServices();
  // The key of a trade whose answer was lost: asking again asks for the same trade, not for a second one.
  const tradeKeys = useRef(new Map<string, string>());
  const listKey = chain === 'solana' ? routeKey('listBots', {}) : routeKey('listBscBots', {});

  function patch(change: (bots: Bot[]) => Bot[]): void {
    queryClient.setQueryData<Bot[]>(listKey, (bots) => bots && change(bots));
    // An answer that was already on its way knows nothing of the change.
    void queryClient.invalidateQueries({ queryKey: listKey });
  }

  function put(bot: Bot): Bot {
    patch((bots) =>
      bots.some(({ id }) => id === bot.id)
        ? bots.map((known) => (known.id === bot.id ? bot : known))
        : [...bots, bot],
    );
    return bot;
  }

  async function create({ slippage_percent, pancakeswap_version, ...fields }: CheckedBot): Promise<Bot> {
    if (chain === 'solana') return put(await api.call('createBot', { body: fields }));
    const token_address = fields.token_address === '' ? null : fields.token_address;
    const body = { ...fields, token_address, slippage_percent, pancakeswap_version };
    return put(await api.call('createBscBot', { body }));
  }

  async function update(
    bot: Bot,
    { slippage_percent, pancakeswap_version, token_address, ...fields }: CheckedBot,
    isActive: boolean,
  ): Promise<Bot> {
    const params = { id: bot.id };
    // Only a person's own change is sent: the bot may have been stopped or started meanwhile.
    const isSwitched = isActive !== bot.is_active;
    const isOtherToken = token_address !== (bot.token_address ?? '');
    const common = { ...fields, ...(isSwitched && { is_active: isActive }) };
    if (chain === 'solana') {
      const body: SolanaEdit = { ...common, ...(isOtherToken && { token_address }) };
      return put(await api.call('updateBot', { params, body }));
    }
    const body: BscEdit = {
      ...common,
      slippage_percent,
      pancakeswap_version,
      ...(isOtherToken && { token_address: token_address === '' ? null : token_address }),
    };
    return put(await api.call('updateBscBot', { params, body }));
  }

  async function switchTo(bot: Bot, isActive: boolean): Promise<void> {
    const params = { id: bot.id };
    try {
      if (chain === 'bsc') {
        put(await api.call('updateBscBot', { params, body: { is_active: isActive } }));
        return;
      }
      put(await api.call(isActive ? 'startBot' : 'stopBot', { params }));
      // The server has done it; over the socket it is said once more (spec §4), in the same order.
      if (live.get().status === 'live') live.emit(isActive ? 'bot:start' : 'bot:stop', { botId: bot.id });
    } catch (error) {
      noteFailure(bot, isActive ? 'START_FAILED' : 'STOP_FAILED', error);
      throw error;
    }
  }

  function noteFailure(bot: Bot, code: 'START_FAILED' | 'STOP_FAILED', error: unknown): void {
    const reason = isApiError(error) ? error : { code: 'INTERNAL', message: String(error), context: {} };
    addLocalBotLog(queryClient, {
      id: `local-${randomId()}`,
      bot_id: bot.id,
      created_at: new Date().toISOString(),
      level: 'error',
      message: `Failed to ${code === 'START_FAILED' ? 'start' : 'stop'} bot: ${reason.message}`,
      data: JSON.stringify({ ...reason.context, code, reason: reason.code }),
    });
  }

  async function remove(bot: Bot): Promise<void> {
    await api.call(chain === 'solana' ? 'deleteBot' : 'deleteBscBot', { params: { id: bot.id } });
    patch((bots) => bots.filter(({ id }) => id !== bot.id));
  }

  /** One trade outside the schedule; resolves with its id as soon as the server has committed to it. */
  async function execute(bot: Bot): Promise<string> {
    const idempotencyKey = tradeKeys.current.get(bot.id) ?? randomId();
    tradeKeys.current.set(bot.id, idempotencyKey);
    try {
      const name = chain === 'solana' ? 'executeBot' : 'executeBscBot';
      const { tradeId } = await api.call(name, { params: { id: bot.id } }, { idempotencyKey });
      tradeKeys.current.delete(bot.id);
      return tradeId;
    } catch (error) {
      // Status 0: no answer came, and the trade may well be under way.
      if (isApiError(error) && error.status > 0 && error.status < 500) tradeKeys.current.delete(bot.id);
      throw error;
    }
  }

  return { create, update, switchTo, remove, execute };
}

export type BotCommands = ReturnType<typeof useBotCommands>;
