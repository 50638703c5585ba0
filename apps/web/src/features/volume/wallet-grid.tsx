import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { UNKNOWN } from '../../lib/format.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { useVolumeWallets } from './use-volume.ts';
import classes from './volume.module.css';

/** The wallets that the session made, until each is drained. */
export function WalletGrid({ chain }: { chain: Chain }) {
  const { t } = useTranslation('volume');
  const query = useVolumeWallets(chain);
  return (
    <Panel title={t('active_wallets')} className={classes.section ?? ''}>
      <QueryView query={query} skeleton={<Skeleton height={120} />}>
        {(wallets) =>
          wallets.length === 0 ? (
            <EmptyState title={t('no_wallets')} />
          ) : (
            <ul className={classes.grid}>
              {wallets.map((wallet) => (
                <li key={wallet.id} className={classes.wallet}>
                  <div className={classes.walletHead}>
                    <code translate="no" title={wallet.id}>
                      {wallet.id.slice(-8)}
                    </code>
                    <span className={classes.status} data-status={wallet.status}>
                      {t(`wallet_status.${wallet.status}`)}
                    </span>
                  </div>
                  <Address value={wallet.address} ends={[6, 4]} what={t('address')} />
                  <span className={classes.balance}>
                    <Amount value={wallet.balance} symbol={NATIVE[chain].symbol} />
                  </span>
                  <span className={classes.hint}>
                    {t('last_activity')}{' '}
                    {wallet.lastActivity === null ? (
                      UNKNOWN
                    ) : (
                      <Time value={new Date(wallet.lastActivity).toISOString()} shows="time" />
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
