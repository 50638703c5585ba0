import { Button, Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type FastSwapLeg } from '@kervan/contract';
import { codeText, errorText } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TransactionHash } from '../../ui/transaction-hash.tsx';
import classes from './fast-swap.module.css';
import { countsOf } from './run-counts.ts';
import type { BatchState, SwapRun } from './swap-run.ts';

interface SwapResultsProps {
  run: SwapRun;
  onClear: () => void;
}

/** How far the swap is, and what became of every wallet. */
export function SwapResults({ run, onClear }: SwapResultsProps) {
  const { t } = useTranslation('fastswap');
  const { traded, failed, open } = countsOf(run);
  const { isRunning } = run;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone they stand below the form: what was just sent is what one wants to see.
    if (isRunning) top.current?.scrollIntoView({ block: 'start' });
  }, [isRunning]);
  const isBatched = run.batches.length > 1;
  const current = run.batches.findLastIndex(({ status }) => status !== 'waiting') + 1;
  return (
    <div ref={top}>
      <Panel
        title={t('results')}
        aside={
          !isRunning && (
            <Button size="compact-sm" variant="default" onClick={onClear}>
              {t('clear_results')}
            </Button>
          )
        }
      >
        <p role="status" className={classes.progress}>
          {isRunning && <Loader size={14} aria-hidden="true" />}
          <span>
            {isRunning && isBatched && `${t('batch', { number: current, of: run.batches.length })} · `}
            {t('counts', { traded, failed })}
            {open > 0 && ` · ${t('open', { count: open })}`}
          </span>
        </p>
        {run.batches.map((batch, index) => (
          <BatchResult
            key={batch.wallets[0]?.id ?? index}
            run={run}
            batch={batch}
            title={isBatched ? t('batch', { number: index + 1, of: run.batches.length }) : undefined}
          />
        ))}
      </Panel>
    </div>
  );
}

interface BatchResultProps {
  run: SwapRun;
  batch: BatchState;
  title: string | undefined;
}

function BatchResult({ run, batch, title }: BatchResultProps) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  return (
    <section className={classes.batch}>
      {title !== undefined && <h3 className={classes.batchTitle}>{title}</h3>}
      {batch.status === 'failed' && <p className={classes.problem}>{errorText(batch.error, language)}</p>}
      <ul className={classes.legs}>
        {batch.result
          ? batch.result.legs.map((leg) => <LegResult key={leg.address} run={run} leg={leg} />)
          : batch.wallets.map((wallet) => (
              <li key={wallet.id} className={classes.leg} data-failed={batch.status === 'failed'}>
                <span className={classes.legName}>{wallet.name}</span>
                <span className={classes.status} data-status={batch.status}>
                  {t(`batch_status.${batch.status}`)}
                </span>
              </li>
            ))}
      </ul>
    </section>
  );
}

function LegResult({ run, leg }: { run: SwapRun; leg: FastSwapLeg }) {
  const { t } = useTranslation('fastswap');
  const language = useLanguage();
  const { trade, error } = leg;
  const status = trade === null || error !== null ? 'failed' : trade.status;
  const native = { value: trade?.amount_sol, symbol: NATIVE[run.chain].symbol };
  const token = { value: trade?.amount_tokens, symbol: run.tokenSymbol };
  const [paid, received] = run.mode === 'buy' ? [native, token] : [token, native];
  const hash = trade?.transaction_hash ?? null;
  return (
    <li className={classes.leg} data-failed={status === 'failed' || status === 'cancelled'}>
      <span className={classes.legName}>
        {leg.walletName ?? t('pasted_key')} <Address value={leg.address} ends={[6, 4]} />
      </span>
      <span className={classes.status} data-status={status}>
        {t(`status.${status}`)}
        {status === 'success' && leg.isAtomic && ` · ${t('bundle')}`}
      </span>
      {status === 'success' && (
        <span>
          <Amount value={paid.value} digits={6} symbol={paid.symbol} /> →{' '}
          <Amount value={received.value} digits={6} symbol={received.symbol} />
        </span>
      )}
      {error !== null && (
        <span className={classes.problem}>
          {codeText(error.code, error.context, language) ?? error.message}
        </span>
      )}
      {hash !== null && (
        <TransactionHash
          chain={run.chain}
          network={run.network}
          hash={hash}
          what={t('signature')}
          explorer={t('explorer')}
          className={classes.hash}
        />
      )}
    </li>
  );
}
