import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Settings, WalletTransaction } from '@kervan/contract';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Time } from '../../ui/time.tsx';
import { explorerUrl } from '../../lib/explorer.ts';
import classes from './history.module.css';
import { TransactionChanges } from './transaction-changes.tsx';
import { TransactionStatus } from './transaction-status.tsx';

interface TransactionRowProps {
  transaction: WalletTransaction;
  network: Settings['solana']['network'] | undefined;
  /** Shows what the sandbox knows of it. */
  onOpen: () => void;
}

export function TransactionRow({ transaction, network, onOpen }: TransactionRowProps) {
  const { t } = useTranslation('wallets');
  const { t: common } = useTranslation();
  const { signature, blockTime, slot, fee, status, type, changes } = transaction;
  const url = network && explorerUrl('solana', network, signature);
  const short = `${signature.slice(0, 8)}…`;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <span className={classes.type}>{t(`type.${type}`)}</span>
        <TransactionStatus status={status} />
      </div>
      <TransactionChanges changes={changes} />
      <div className={classes.facts}>
        <span>
          {blockTime === null ? common('unknown') : <Time value={new Date(blockTime * 1000).toISOString()} />}
        </span>
        <span>
          {t('fee')} <Amount value={fee} digits={6} symbol="SOL" />
        </span>
      </div>
      <div className={classes.facts}>
        <Address value={signature} ends={[8, 8]} what={t('signature')} />
        <span>{t('slot', { slot })}</span>
      </div>
      <div className={classes.open}>
        {url !== undefined && (
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            size="xs"
            variant="default"
            rightSection={<IconExternalLink size={14} />}
            aria-label={t('explorer_label', { signature: short })}
          >
            {t('explorer')}
          </Button>
        )}
        {network === 'sandbox' && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('details_label', { signature: short })}
            onClick={onOpen}
          >
            {t('details')}
          </Button>
        )}
      </div>
    </li>
  );
}
