import { useTranslation } from 'react-i18next';
import type { WalletTransaction } from '@kervan/contract';
import classes from './history.module.css';

/** What became of a transaction: a dot and a word. */
export function TransactionStatus({ status }: { status: WalletTransaction['status'] }) {
  const { t } = useTranslation('wallets');
  return (
    <span className={classes.status} data-status={status}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`status.${status}`)}
    </span>
  );
}
