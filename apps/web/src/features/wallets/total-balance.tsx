import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Time } from '../../ui/time.tsx';
import { totalBalance, type WalletView } from './wallet-view.ts';
import classes from './wallets.module.css';

interface TotalBalanceProps {
  chain: Chain;
  wallets: readonly WalletView[];
  balancesAt: number;
}

/** What all wallets hold together, and when that was read. */
export function TotalBalance({ chain, wallets, balancesAt }: TotalBalanceProps) {
  const { t } = useTranslation('wallets');
  return (
    <Panel className={classes.total ?? ''}>
      <div>
        <p className={classes.label}>{t('total')}</p>
        <div className={classes.figure}>
          <Amount value={totalBalance(wallets)} symbol={NATIVE[chain].symbol} />
        </div>
      </div>
      <p className={classes.aside}>
        {t('count', { count: wallets.length })}
        {balancesAt > 0 && (
          <>
            {' · '}
            {t('as_of')} <Time value={new Date(balancesAt).toISOString()} shows="time" />
          </>
        )}
      </p>
    </Panel>
  );
}
