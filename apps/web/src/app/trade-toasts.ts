import { useTranslation } from 'react-i18next';
import { NATIVE } from '@kervan/contract';
import { formatAmount } from '../lib/format.ts';
import { useServerEvent } from '../lib/hooks.ts';
import { useLanguage } from '../lib/i18n.ts';
import { notify, TOAST_MS } from '../lib/notify.ts';
import { tradeFailure } from '../lib/trade-failure.ts';

/** Tells of every bot trade that ends, wherever one is in the product (spec §8). */
export function useTradeToasts(): void {
  const { t } = useTranslation('shell');
  const { t: common } = useTranslation();
  const language = useLanguage();

  useServerEvent('trade:executed', (trade) => {
    const { botId, chain, status, action, amount } = trade;
    if (botId === null) return;
    const names = { chain: common(`chain.${chain}`), action: common(`action_name.${action}`) };
    if (status === 'success') {
      notify({
        kind: 'success',
        title: t('toast.success', names),
        message: t('toast.success_body', {
          ...names,
          amount: formatAmount(amount, { digits: 6 }, language),
          symbol: NATIVE[chain].symbol,
        }),
        ms: TOAST_MS.tradeSuccess,
      });
    }
    if (status === 'failed') {
      notify({
        kind: 'error',
        title: t('toast.failed', names),
        message: t('toast.failed_body', {
          ...names,
          error: tradeFailure(trade, language) ?? t('toast.unknown_error'),
        }),
        ms: TOAST_MS.tradeFailure,
      });
    }
  });

  useServerEvent('error', ({ message }) => {
    notify({ kind: 'error', title: t('toast.bot_command'), message });
  });
}
