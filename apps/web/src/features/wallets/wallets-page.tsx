import { Button, VisuallyHidden } from '@mantine/core';
import type { UseDisclosureReturnValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNetworkKinds } from '../../lib/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { AddWalletModal } from './add-wallet-modal.tsx';
import { FaucetModal } from './faucet-modal.tsx';
import { RefreshButton } from './refresh-button.tsx';
import { TotalBalance } from './total-balance.tsx';
import { WalletCard } from './wallet-card.tsx';
import { WalletSkeletons } from './wallet-skeletons.tsx';
import type { ChainWallets, WalletView } from './wallet-view.ts';
import classes from './wallets.module.css';

interface WalletsPageProps extends ChainWallets {
  adding: UseDisclosureReturnValue;
  /** Opens a wallet's history; chains whose nodes keep none go without. */
  onHistory?: (wallet: WalletView) => void;
}

/** The wallets of one chain: their total, their cards, and what can be done with them. */
export function WalletsPage({ adding: [isAdding, { open, close }], onHistory, ...all }: WalletsPageProps) {
  const { chain, wallets, error, balancesAt, isRefreshing, refresh, create, remove } = all;
  const { t } = useTranslation('wallets');
  const isSandbox = useNetworkKinds()[chain] === 'sandbox';
  const [faucetFor, setFaucetFor] = useState<WalletView>();
  const [news, setNews] = useState('');

  return (
    <Page
      title={t(`title.${chain}`)}
      description={t(`description.${chain}`)}
      actions={
        <>
          <RefreshButton label={t('refresh')} refresh={refresh} />
          <Button leftSection={<IconPlus size={16} />} onClick={open}>
            {t('add')}
          </Button>
        </>
      }
    >
      <VisuallyHidden role="status">{news}</VisuallyHidden>
      {error && <ErrorPanel error={error} onRetry={() => void refresh()} isRetrying={isRefreshing} />}
      {wallets === undefined && error === null && <WalletSkeletons />}
      {wallets?.length === 0 && (
        <Panel>
          <EmptyState
            title={t('empty')}
            hint={t('empty_hint')}
            action={<Button onClick={open}>{t('add_first')}</Button>}
          />
        </Panel>
      )}
      {wallets !== undefined && wallets.length > 0 && (
        <div data-stale={error !== null}>
          <TotalBalance chain={chain} wallets={wallets} balancesAt={balancesAt} />
          <ul className={classes.grid}>
            {wallets.map((wallet) => (
              <WalletCard
                key={wallet.id}
                chain={chain}
                wallet={wallet}
                {...(onHistory && { onHistory: () => onHistory(wallet) })}
                {...(isSandbox && { onFaucet: () => setFaucetFor(wallet) })}
                onDelete={async () => {
                  await remove(wallet.id);
                  setNews(t('deleted', { name: wallet.name }));
                }}
              />
            ))}
          </ul>
        </div>
      )}
      <AddWalletModal
        chain={chain}
        isOpen={isAdding}
        onClose={close}
        onCreate={async (wallet) => {
          await create(wallet);
          setNews(t('added', { name: wallet.name.trim() }));
          close();
        }}
      />
      <FaucetModal
        chain={chain}
        wallet={faucetFor}
        onClose={() => setFaucetFor(undefined)}
        onGranted={refresh}
      />
    </Page>
  );
}
