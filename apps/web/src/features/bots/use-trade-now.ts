import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain, Trade } from '@kervan/contract';
import { amountSymbol, formatRange, type Bot } from '../../lib/bot.ts';
import { useServerEvent } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import type { BotCommands } from './use-bot-commands.ts';

/** One trade of a bot at once: asked first, then submitted, confirmed or failed, never claimed before it is. */
export function useTradeNow(chain: Chain, bot: Bot, execute: BotCommands['execute']) {
  const { t } = useTranslation('bots');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const confirm = useConfirm();
  const [asked, setAsked] = useState<Pick<Trade, 'id' | 'status'>>();
  const newest = useRef<Trade>(undefined);

  useServerEvent('trade:updated', (trade) => {
    if (trade.bot_id !== bot.id) return;
    newest.current = trade;
    setAsked((current) => (current?.id === trade.id ? trade : current));
  });

  const range = formatRange(bot.amount_min, bot.amount_max, language);
  const amount = `${range} ${amountSymbol(chain, bot)}`.trim();
  const token = bot.token_symbol ?? bot.token_address ?? '';
  const network = common(`network_name.${bot.network}`);

  async function confirmTrade(): Promise<boolean> {
    return await confirm({
      title: t('trade.confirm', { name: bot.name }),
      body: t(`trade.confirm_${bot.action}`, { amount, token, network }),
      verb: t(`trade.verb_${bot.action}`),
      chain,
      network: bot.network,
    });
  }

  /** Resolves when the server has committed to the trade. */
  async function tradeNow(): Promise<void> {
    setAsked(undefined);
    const id = await execute(bot);
    // The chain may be faster than the answer that names the trade.
    setAsked(newest.current?.id === id ? newest.current : { id, status: 'pending' });
  }

  return { status: asked?.status, confirmTrade, tradeNow };
}
