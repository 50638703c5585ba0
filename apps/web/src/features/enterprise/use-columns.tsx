import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NATIVE, type EnterpriseLog } from '@kervan/contract';
import { explorerUrl } from '../../lib/explorer.ts';
import { formatShort, shorten } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { Usd } from '../../ui/usd.tsx';
import classes from './enterprise.module.css';

/** The columns of spec §2, in its order. */
export function useColumns(): readonly Column<EnterpriseLog>[] {
  const { t } = useTranslation('enterprise');
  const { t: common } = useTranslation();
  const language = useLanguage();
  return [
    { key: 'date', header: t('column.date'), renderCell: ({ date }) => <Time value={date} /> },
    {
      key: 'type',
      header: t('column.type'),
      renderCell: ({ type }) => (
        <span className={classes.type} data-type={type}>
          {t(`type.${type}`)}
        </span>
      ),
    },
    { key: 'chain', header: t('column.chain'), renderCell: ({ chain }) => common(`chain.${chain}`) },
    { key: 'usd', header: 'USD', isNumeric: true, renderCell: ({ usd }) => <Usd value={usd} /> },
    {
      key: 'tokens',
      header: t('column.tokens'),
      isNumeric: true,
      renderCell: ({ tokenAmount, tokenSymbol, tokenAddress }) => (
        <span title={`${tokenAmount} ${tokenAddress}`} translate="no">
          {formatShort(tokenAmount, language)} {tokenSymbol ?? shorten(tokenAddress)}
        </span>
      ),
    },
    {
      key: 'native',
      header: t('column.native'),
      isNumeric: true,
      renderCell: (log) => (
        <Amount
          value={log.chain === 'solana' ? log.solAmount : log.bnbAmount}
          digits={6}
          symbol={NATIVE[log.chain].symbol}
        />
      ),
    },
    {
      key: 'price',
      header: t('column.price'),
      isNumeric: true,
      renderCell: ({ price }) => <Usd value={price} digits={[2, 8]} />,
    },
    {
      key: 'maker',
      header: t('column.maker'),
      renderCell: ({ maker }) => <Address value={maker} ends={[6, 4]} />,
    },
    { key: 'txn', header: 'TXN', renderCell: (log) => <Transaction log={log} /> },
  ];
}

function Transaction({ log: { chain, network, txn } }: { log: EnterpriseLog }) {
  const { t } = useTranslation('enterprise');
  const url = explorerUrl(chain, network, txn);
  if (url === undefined) return <Address value={txn} ends={[8, 8]} what={t('transaction')} />;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" translate="no">
      {shorten(txn, 8, 8)}
    </Anchor>
  );
}
