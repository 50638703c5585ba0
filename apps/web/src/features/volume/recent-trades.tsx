import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type Trade } from '@kervan/contract';
import { Amount } from '../../ui/amount.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { TransactionHash } from '../../ui/transaction-hash.tsx';
import { useVolumeTrades } from './use-volume.ts';
import classes from './volume.module.css';

/** The newest trades of the chain's sessions. */
export function RecentTrades({ chain }: { chain: Chain }) {
  const { t } = useTranslation('volume');
  const query = useVolumeTrades(chain);
  return (
    <Panel title={t('recent_trades')} className={classes.section ?? ''}>
      <QueryView query={query} skeleton={<Skeleton height={120} />}>
        {({ trades }) =>
          trades.length === 0 ? (
            <EmptyState title={t('no_trades')} />
          ) : (
            <ul className={classes.rows}>
              {trades.map((trade) => (
                <TradeRow key={trade.id} chain={chain} trade={trade} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function TradeRow({ chain, trade }: { chain: Chain; trade: Trade }) {
  const { t } = useTranslation('volume');
  const { t: common } = useTranslation();
  const native = { value: trade.amount_sol, symbol: NATIVE[chain].symbol };
  const token = { value: trade.amount_tokens, symbol: trade.token_symbol ?? '' };
  const [paid, received] = trade.action === 'buy' ? [native, token] : [token, native];
  const hash = trade.transaction_hash;
  return (
    <li className={`${classes.row} ${classes.trade}`}>
      <span className={classes.what}>
        <Time value={trade.executed_at ?? trade.created_at} shows="time" />{' '}
        {common(`action_name.${trade.action}`)}
      </span>
      <span className={classes.tradeStatus} data-status={trade.status}>
        {t(`trade_status.${trade.status}`)}
      </span>
      {trade.status === 'success' && (
        <span>
          <Amount value={paid.value} digits={6} symbol={paid.symbol} /> →{' '}
          <Amount value={received.value} digits={6} symbol={received.symbol} />
        </span>
      )}
      {trade.error && <span className={classes.problem}>{trade.error.message}</span>}
      {hash !== null && (
        <TransactionHash
          chain={chain}
          network={trade.network}
          hash={hash}
          what={t('signature')}
          explorer={t('explorer')}
          className={classes.hash}
        />
      )}
    </li>
  );
}
