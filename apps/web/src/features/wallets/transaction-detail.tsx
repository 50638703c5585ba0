import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WalletTransactionDetail } from '@kervan/contract';
import { codeText } from '../../lib/api-error.ts';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './history.module.css';
import { TransactionChanges } from './transaction-changes.tsx';
import { TransactionStatus } from './transaction-status.tsx';

export function TransactionDetail({ detail }: { detail: WalletTransactionDetail }) {
  const { t } = useTranslation('wallets');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const { signature, blockTime, slot, fee, status, type, changes, error, feePayer, accounts, logs } = detail;
  const moved = accounts.filter(({ change }) => /[1-9]/.test(change));
  return (
    <>
      <dl className={classes.detail}>
        <Fact name={t('signature')}>
          <Address value={signature} what={t('signature')} />
        </Fact>
        <Fact name={t('status_label')}>
          <TransactionStatus status={status} />
        </Fact>
        {error && (
          <Fact name={t('reason')}>{codeText(error.code, error.context, language) ?? error.message}</Fact>
        )}
        <Fact name={t('type_label')}>{t(`type.${type}`)}</Fact>
        <Fact name={t('changes')}>
          <TransactionChanges changes={changes} />
        </Fact>
        <Fact name={t('time')}>
          {blockTime === null ? common('unknown') : <Time value={new Date(blockTime * 1000).toISOString()} />}
        </Fact>
        <Fact name={t('slot_label')}>{formatCount(slot, language)}</Fact>
        <Fact name={t('fee_of_wallet')}>
          <Amount value={fee} digits={6} symbol="SOL" />
        </Fact>
        <Fact name={t('fee_payer')}>
          <Address value={feePayer} what={t('fee_payer')} />
        </Fact>
      </dl>
      <h3 className={classes.subtitle}>{t('accounts_moved', { count: moved.length })}</h3>
      <ul className={classes.accounts}>
        {moved.map(({ address, change }) => (
          <li key={address}>
            <Address value={address} ends={[8, 8]} />
            <Amount value={change} digits={6} symbol="SOL" isSigned />
          </li>
        ))}
      </ul>
      <h3 className={classes.subtitle}>{t('logs')}</h3>
      <pre className={classes.logs} tabIndex={0} aria-label={t('logs')} role="region">
        {logs.join('\n')}
      </pre>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
