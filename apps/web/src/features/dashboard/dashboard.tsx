import './locale.ts';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { BotCounts } from './bot-counts.tsx';
import { BotList } from './bot-list.tsx';
import { ChartsPanel } from './charts-panel.tsx';
import classes from './dashboard.module.css';
import { QuickActions } from './quick-actions.tsx';
import { StatCards } from './stat-cards.tsx';
import { useOverview } from './use-overview.ts';
import { WalletList } from './wallet-list.tsx';

export function Dashboard() {
  const { t } = useTranslation('dashboard');
  const { wallets, bots, balance, error, isRefreshing, refresh } = useOverview();
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={<ReloadButton isLoading={isRefreshing} onClick={() => void refresh()} />}
    >
      {error && <ErrorPanel error={error} onRetry={() => void refresh()} isRetrying={isRefreshing} />}
      <StatCards wallets={wallets} bots={bots} balance={balance} hasFailed={error !== null} />
      <div className={classes.columns}>
        <WalletList wallets={wallets} hasFailed={error !== null} />
        <BotList
          bots={bots}
          hasWallets={wallets === undefined || wallets.length > 0}
          hasFailed={error !== null}
        />
      </div>
      {wallets !== undefined && wallets.length > 0 && <ChartsPanel />}
      <div className={classes.columns}>
        <QuickActions hasWallets={wallets !== undefined && wallets.length > 0} />
        {bots !== undefined && bots.length > 0 && <BotCounts bots={bots} />}
      </div>
    </Page>
  );
}
