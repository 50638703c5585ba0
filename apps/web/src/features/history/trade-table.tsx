import '@mantine/core/styles/Modal.layer.css';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Trade } from '@kervan/contract';
import { shorten } from '../../lib/format.ts';
import { Amount } from '../../ui/amount.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import { Usd } from '../../ui/usd.tsx';
import classes from './history.module.css';
import { TradeModal } from './trade-modal.tsx';
import { TransactionLink } from './transaction-link.tsx';

interface TradeTableProps {
  label: string;
  trades: readonly Trade[];
  empty: string;
  isStale: boolean;
  /** A bot's own trades need not name the bot. */
  hidesOrigin?: boolean;
}

/** Trades of either chain, and behind each of them its life. */
export function TradeTable({ label, trades, empty, isStale, hidesOrigin = false }: TradeTableProps) {
  const { t } = useTranslation('history');
  const [openId, setOpenId] = useState<string>();
  const columns: Column<Trade>[] = [
    {
      key: 'time',
      header: t('column.time'),
      renderCell: (trade) => <Time value={trade.executed_at ?? trade.created_at} />,
    },
    { key: 'action', header: t('column.action'), renderCell: ({ action }) => t(`action.${action}`) },
    {
      key: 'status',
      header: t('column.status'),
      renderCell: ({ status }) => (
        <span className={classes.status} data-status={status}>
          {t(`status.${status}`)}
        </span>
      ),
    },
    {
      key: 'native',
      header: t('column.native'),
      isNumeric: true,
      renderCell: ({ chain, amount_sol }) => (
        <Amount value={amount_sol} digits={6} symbol={NATIVE[chain].symbol} />
      ),
    },
    {
      key: 'tokens',
      header: t('column.tokens'),
      isNumeric: true,
      renderCell: ({ amount_tokens, token_symbol, token_address }) => (
        <Amount value={amount_tokens} digits={6} symbol={token_symbol ?? shorten(token_address)} />
      ),
    },
    { key: 'usd', header: 'USD', isNumeric: true, renderCell: ({ usd }) => <Usd value={usd} /> },
    {
      key: 'wallet',
      header: t('column.wallet'),
      renderCell: ({ wallet_name, wallet_public_key, bot_name, source }) => (
        <span>
          <span title={wallet_public_key}>{wallet_name}</span>
          {!hidesOrigin && <span className={classes.origin}>{bot_name ?? t(`source.${source}`)}</span>}
        </span>
      ),
    },
    { key: 'txn', header: t('column.transaction'), renderCell: (trade) => <TransactionLink trade={trade} /> },
    {
      key: 'details',
      header: t('column.details'),
      renderCell: ({ id }) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('details_of', { id: id.slice(-8) })}
          onClick={() => setOpenId(id)}
        >
          {t('details')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={trades}
        rowKey={(trade) => trade.id}
        empty={empty}
        isStale={isStale}
      />
      <TradeModal tradeId={openId} onClose={() => setOpenId(undefined)} />
    </>
  );
}
