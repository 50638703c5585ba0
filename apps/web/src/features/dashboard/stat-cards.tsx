import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { formatCount, UNKNOWN } from '../../lib/format.ts';
import { useDelayed } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';
import type { BotSummary, WalletSummary } from './use-overview.ts';

interface StatCardsProps {
  wallets: readonly WalletSummary[] | undefined;
  bots: readonly BotSummary[] | undefined;
  balance: Record<Chain, string | undefined>;
  hasFailed: boolean;
}

export function StatCards({ wallets, bots, balance, hasFailed }: StatCardsProps) {
  const { t } = useTranslation('dashboard');
  return (
    <div className={classes.cards}>
      <CountCard label={t('total_wallets')} items={wallets} hasFailed={hasFailed} />
      <CountCard label={t('active_bots')} items={bots?.filter((bot) => bot.isActive)} hasFailed={hasFailed} />
      <Card
        label={t('total_balance')}
        isLoading={wallets === undefined && !hasFailed}
        figure={<Amount value={balance.solana} symbol="SOL" />}
        detail={<Amount value={balance.bsc} symbol="BNB" />}
      />
      <CountCard label={t('total_bots')} items={bots} hasFailed={hasFailed} />
    </div>
  );
}

interface CountCardProps {
  label: string;
  items: readonly { chain: Chain }[] | undefined;
  hasFailed: boolean;
}

function CountCard({ label, items, hasFailed }: CountCardProps) {
  const { t } = useTranslation('dashboard');
  const language = useLanguage();
  const countOf = (chain: Chain) =>
    items ? formatCount(items.filter((item) => item.chain === chain).length, language) : UNKNOWN;
  return (
    <Card
      label={label}
      isLoading={items === undefined && !hasFailed}
      figure={items ? formatCount(items.length, language) : UNKNOWN}
      detail={t('per_chain', { solana: countOf('solana'), bsc: countOf('bsc') })}
    />
  );
}

interface CardProps {
  label: string;
  isLoading: boolean;
  figure: ReactNode;
  detail: ReactNode;
}

function Card({ label, isLoading, figure, detail }: CardProps) {
  const showsSkeleton = useDelayed(isLoading);
  return (
    <Panel>
      <p className={classes.label}>{label}</p>
      {isLoading ? (
        <Skeleton height={31} mt={4} mb={18} width="60%" visible={showsSkeleton} />
      ) : (
        <>
          <div className={classes.figure}>{figure}</div>
          <div className={classes.detail}>{detail}</div>
        </>
      )}
    </Panel>
  );
}
