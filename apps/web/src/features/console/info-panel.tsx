import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { amountSymbol, formatRange, type Bot } from '../../lib/bot.ts';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './console.module.css';
import type { Totals } from './log-store.ts';

const TOTAL_DIGITS = 6;

interface InfoPanelProps {
  chain: Chain;
  bot: Bot;
  totals: Totals;
}

/** What the bot is told to do, and what came of it. */
export function InfoPanel({ chain, bot, totals }: InfoPanelProps) {
  const { t } = useTranslation('console');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const { symbol } = NATIVE[chain];
  const range = formatRange(bot.range_time_min, bot.range_time_max, language);
  return (
    <div className={classes.aside}>
      <Panel title={t('info')}>
        <dl className={classes.facts}>
          <Fact label={t('action')}>{common(`action_label.${bot.action}`)}</Fact>
          <Fact label={t('amount_range')}>
            {formatRange(bot.amount_min, bot.amount_max, language)}{' '}
            <span translate="no">{amountSymbol(chain, bot)}</span>
          </Fact>
          <Fact label={t('time_range')}>{t('seconds', { range })}</Fact>
          <Fact label={t('token')}>
            {bot.token_address === null ? (
              t('no_token')
            ) : (
              <>
                <span translate="no">{bot.token_symbol}</span>{' '}
                <Address value={bot.token_address} what={t('token')} ends={[6, 4]} />
              </>
            )}
          </Fact>
          <Fact label={t('network')}>{common(`network_name.${bot.network}`)}</Fact>
        </dl>
      </Panel>
      <Panel title={t('totals')}>
        <dl className={classes.facts}>
          <Fact label={bot.token_symbol ?? t('total_tokens')}>
            <Amount value={totals.tokens} digits={TOTAL_DIGITS} />
          </Fact>
          <Fact label={t('total_native', { symbol })}>
            <Amount value={totals.native} digits={TOTAL_DIGITS} />
          </Fact>
          <Fact label={t('total_trades')}>{formatCount(totals.trades, language)}</Fact>
        </dl>
        <p className={classes.hint}>{t('totals_hint')}</p>
      </Panel>
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
