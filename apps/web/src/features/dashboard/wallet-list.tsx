import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NATIVE } from '@kervan/contract';
import { formatDate, UNKNOWN } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useNavigation } from '../../lib/navigation.ts';
import { Amount } from '../../ui/amount.tsx';
import { ChainTag } from '../../ui/chain-tag.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';
import { RowSkeletons } from './row-skeletons.tsx';
import type { WalletSummary } from './use-overview.ts';

const SHOWN = 5;

interface WalletListProps {
  wallets: readonly WalletSummary[] | undefined;
  hasFailed: boolean;
}

/** The newest wallets. */
export function WalletList({ wallets, hasFailed }: WalletListProps) {
  const { t } = useTranslation('dashboard');
  const { navigate } = useNavigation();
  return (
    <Panel title={t('recent_wallets')}>
      {wallets === undefined ? (
        hasFailed ? (
          <p className={classes.unknown}>{UNKNOWN}</p>
        ) : (
          <RowSkeletons />
        )
      ) : wallets.length === 0 ? (
        <EmptyState
          title={t('no_wallets')}
          hint={t('no_wallets_hint')}
          action={<Button onClick={() => navigate('wallets', 'create')}>{t('add_wallet')}</Button>}
        />
      ) : (
        <ul className={classes.rows}>
          {wallets.slice(0, SHOWN).map((wallet) => (
            <Row key={wallet.id} wallet={wallet} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ wallet }: { wallet: WalletSummary }) {
  const { t } = useTranslation('dashboard');
  const { t: common } = useTranslation();
  const date = formatDate(wallet.createdAt, 'date', useLanguage()) ?? common('unknown');
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <div className={classes.name}>
          <span className={classes.nameText}>{wallet.name}</span>
          <ChainTag chain={wallet.chain} />
        </div>
        <p className={classes.detail}>{t('created', { date })}</p>
      </div>
      <Amount value={wallet.balance} symbol={NATIVE[wallet.chain].symbol} />
    </li>
  );
}
