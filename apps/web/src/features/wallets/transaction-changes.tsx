import { useTranslation } from 'react-i18next';
import type { WalletTransaction } from '@kervan/contract';
import { Amount } from '../../ui/amount.tsx';
import classes from './history.module.css';

/** What went out of the wallet and what came in. */
export function TransactionChanges({ changes }: Pick<WalletTransaction, 'changes'>) {
  const { t } = useTranslation('wallets');
  if (changes.length === 0) return <span className={classes.nothing}>{t('no_changes')}</span>;
  return (
    <ul className={classes.changes}>
      {changes.map(({ tokenAddress, symbol, amount }) => (
        <li key={tokenAddress} title={tokenAddress ?? undefined}>
          <Amount value={amount} symbol={symbol} isSigned />
        </li>
      ))}
    </ul>
  );
}
