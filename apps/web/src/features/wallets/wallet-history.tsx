import { Button, Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WALLET_TRANSACTIONS_SHOWN } from '@kervan/contract';
import { useRouteQuery } from '../../lib/query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { TransactionModal } from './transaction-modal.tsx';
import { TransactionRow } from './transaction-row.tsx';
import { useFollowTrades } from './use-follow-trades.ts';
import type { WalletView } from './wallet-view.ts';
import classes from './history.module.css';

interface WalletHistoryProps {
  wallet: WalletView;
  onBack: () => void;
}

/** The latest transactions of a Solana wallet on the network of the settings. */
export function WalletHistory({ wallet, onBack }: WalletHistoryProps) {
  const { t } = useTranslation('wallets');
  const [opened, setOpened] = useState<string>();
  const { data: settings } = useRouteQuery('getSettings', {});
  const query = useRouteQuery('walletTransactions', {
    params: { id: wallet.id },
    query: { limit: WALLET_TRANSACTIONS_SHOWN },
  });
  useFollowTrades('solana', () => void query.refetch());
  return (
    <Page
      title={t('history_title', { name: wallet.name })}
      description={t('history_description', { count: WALLET_TRANSACTIONS_SHOWN })}
      actions={
        <>
          <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack}>
            {t('back')}
          </Button>
          <RefreshButton
            label={t('refresh_history')}
            refresh={async () => {
              await query.refetch();
            }}
          />
        </>
      }
    >
      <QueryView query={query} skeleton={<Skeletons />}>
        {(transactions) =>
          transactions.length === 0 ? (
            <Panel>
              <EmptyState title={t('history_empty')} hint={t('history_empty_hint')} />
            </Panel>
          ) : (
            <ul className={classes.list} data-stale={query.error !== null}>
              {transactions.map((transaction) => (
                <TransactionRow
                  key={transaction.signature}
                  transaction={transaction}
                  network={settings?.solana.network}
                  onOpen={() => setOpened(transaction.signature)}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      <TransactionModal walletId={wallet.id} signature={opened} onClose={() => setOpened(undefined)} />
    </Page>
  );
}

function Skeletons() {
  return (
    <div className={classes.list}>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={36} />
        </div>
      ))}
    </div>
  );
}
