import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type TradeDetail } from '@kervan/contract';
import { formatPercent, UNKNOWN } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Time } from '../../ui/time.tsx';
import { Usd } from '../../ui/usd.tsx';
import { AttemptList } from './attempt-list.tsx';
import classes from './history.module.css';
import { TransactionLink } from './transaction-link.tsx';

const LIFE = ['planned_at', 'simulated_at', 'signed_at', 'sent_at', 'landed_at', 'ended_at'] as const;

/** Everything that is known of a trade: what it moved and cost, its life, and each transaction signed for it. */
export function TradeDetails({ trade }: { trade: TradeDetail }) {
  const { t } = useTranslation('history');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const { chain, action, life } = trade;
  const { symbol: native } = NATIVE[chain];
  const token = trade.token_symbol ?? '';
  return (
    <>
      <p className={classes.headline}>
        <span className={classes.status} data-status={trade.status}>
          {t(`status.${trade.status}`)}
        </span>{' '}
        {t(`action.${action}`)} · {common(`chain.${chain}`)} · {common(`network_name.${trade.network}`)}
      </p>
      {trade.error && <p className={classes.problem}>{trade.error.message}</p>}
      <dl className={classes.facts}>
        <Fact label={t('fact.asked')}>
          <Amount value={trade.amount_in} digits={6} symbol={action === 'buy' ? native : token} />
        </Fact>
        <Fact label={t('column.native')}>
          <Amount value={trade.amount_sol} digits={6} symbol={native} />
        </Fact>
        <Fact label={t('column.tokens')}>
          <Amount value={trade.amount_tokens} digits={6} symbol={token} />
        </Fact>
        <Fact label={t('fact.fee')}>
          <Amount value={trade.fee} digits={6} symbol={native} />
        </Fact>
        {chain === 'solana' && (
          <>
            <Fact label={t('fact.tip')}>
              <Amount value={trade.tip} digits={6} symbol={native} />
            </Fact>
            <Fact label={t('fact.rent')}>
              <Amount value={trade.rent} digits={6} symbol={native} />
            </Fact>
          </>
        )}
        <Fact label={t('fact.usd')}>
          <Usd value={trade.usd} />
        </Fact>
        <Fact label={t('fact.price')}>
          <Usd value={trade.price} digits={[2, 8]} />
        </Fact>
        <Fact label={t('fact.slippage')}>{formatPercent(String(trade.slippage_bps / 100), language)}</Fact>
        {trade.dex_version && <Fact label={t('fact.router')}>PancakeSwap {trade.dex_version}</Fact>}
        <Fact label={t('column.wallet')}>
          {trade.wallet_name} <Address value={trade.wallet_public_key} ends={[6, 4]} what={t('address')} />
        </Fact>
        <Fact label={t('fact.token')}>
          {token} <Address value={trade.token_address} ends={[6, 4]} what={t('token_address')} />
        </Fact>
        <Fact label={t('column.origin')}>{trade.bot_name ?? t(`source.${trade.source}`)}</Fact>
        <Fact label={t('column.transaction')}>
          <TransactionLink trade={trade} />
        </Fact>
      </dl>
      <h3 className={classes.subtitle}>{t('life.title')}</h3>
      <ol className={classes.life}>
        {LIFE.map((step) => (
          <li key={step} data-reached={life[step] !== null}>
            <span>{t(`life.${step}`)}</span>
            <span>{life[step] === null ? UNKNOWN : <Moment value={life[step]} />}</span>
          </li>
        ))}
      </ol>
      <h3 className={classes.subtitle}>{t('attempts')}</h3>
      <AttemptList trade={trade} />
    </>
  );
}

/** A day and a time to the second. */
function Moment({ value }: { value: string }) {
  return (
    <>
      <Time value={value} shows="date" /> <Time value={value} shows="time" />
    </>
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
