import { Button, Group, Modal, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { formatPercent } from '../../lib/format.ts';
import { useNetworkKinds, useNow } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './fast-swap.module.css';
import { severityOf, totalsOf } from './preview-totals.ts';
import { ReviewLegs } from './review-legs.tsx';
import type { SwapDraft } from './swap-form.tsx';
import { usePreview, type Preview } from './use-preview.ts';

interface SwapReviewProps {
  chain: Chain;
  /** Open while there is one. */
  draft: SwapDraft | undefined;
  onClose: () => void;
  onConfirm: (draft: SwapDraft, preview: Preview) => void;
}

/** The last look before money moves: what goes in, what comes out at least, what it costs, and on which network. */
export function SwapReview({ draft, onClose, ...rest }: SwapReviewProps) {
  const { t } = useTranslation('fastswap');
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={draft !== undefined}
      onClose={onClose}
      title={t('review_title')}
      size="xl"
      fullScreen={isPhone}
      closeOnClickOutside={false}
    >
      {draft && <Review draft={draft} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function Review({ chain, draft, onClose, onConfirm }: SwapReviewProps & { draft: SwapDraft }) {
  const { t } = useTranslation('fastswap');
  const { t: common } = useTranslation();
  const query = usePreview(draft.batches);
  const ageSec = Math.max(0, Math.floor((useNow() - query.dataUpdatedAt) / 1000));
  const { data } = query;
  const totals = data && totalsOf(data.batches.flatMap(({ legs }) => legs));
  const { mode } = draft.batches[0].body;
  const isHigh = severityOf(totals?.priceImpactBps ?? null) === 'high';

  return (
    <>
      <QueryView query={query} skeleton={<Skeleton height={320} />}>
        {(preview) => <ReviewBody chain={chain} draft={draft} preview={preview} />}
      </QueryView>
      <Group justify="space-between" gap="xs" className={classes.footer}>
        <span className={classes.hint}>
          {data && (
            <>
              {t('quoted', { seconds: ageSec })}{' '}
              <Button
                size="compact-xs"
                variant="default"
                loading={query.isFetching}
                onClick={() => void query.refetch()}
              >
                {t('quote_again')}
              </Button>
            </>
          )}
        </span>
        <Group gap="xs" ml="auto">
          <Button variant="default" onClick={onClose} data-autofocus>
            {common('action.cancel')}
          </Button>
          <Button
            color={isHigh ? 'danger' : 'accent'}
            disabled={totals === undefined || totals.trading === 0 || query.isFetching}
            onClick={() => data && onConfirm(draft, data)}
          >
            {totals === undefined || totals.trading === 0
              ? t(mode)
              : t(isHigh ? `confirm_anyway_${mode}` : `confirm_${mode}`, { count: totals.trading })}
          </Button>
        </Group>
      </Group>
    </>
  );
}

function ReviewBody({ chain, draft, preview }: { chain: Chain; draft: SwapDraft; preview: Preview }) {
  const { t } = useTranslation('fastswap');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const kind = useNetworkKinds()[chain];
  const totals = totalsOf(preview.batches.flatMap(({ legs }) => legs));
  const { mode, percent } = draft.batches[0].body;
  const { symbol: native } = NATIVE[chain];
  const { symbol: token } = draft.token;
  const [paid, received] = mode === 'buy' ? [native, token] : [token, native];
  const severity = severityOf(totals.priceImpactBps);
  const impact =
    totals.priceImpactBps === null
      ? t('impact_unknown')
      : formatPercent(String(totals.priceImpactBps / 100), language);
  // Where nobody can trade there is nothing to be told.
  const known = (amount: string) => (totals.trading > 0 ? amount : null);
  // The sandbox is called what it is: once is enough.
  const networkNames = new Set([
    common(`network_name.${preview.network}`),
    ...(kind === undefined ? [] : [common(`network.${kind}`)]),
  ]);
  const facts = [
    [t('network'), [common(`chain.${chain}`), ...networkNames].join(' · ')],
    [t('percent'), formatPercent(String(percent), language)],
    [t('slippage_label'), formatPercent(String(preview.slippageBps / 100), language)],
  ] as const;
  return (
    <>
      <dl className={classes.facts}>
        <Fact label={t('pay')} isMain>
          <Amount value={known(totals.amountIn)} digits={6} symbol={paid} />
        </Fact>
        <Fact label={t('receive')} isMain>
          <Amount value={known(totals.expectedOut)} digits={6} symbol={received} />
        </Fact>
        <Fact label={t('minimum')}>
          <Amount value={known(totals.minimumOut)} digits={6} symbol={received} />
        </Fact>
        <Fact label={t('fees')}>
          <Amount value={known(totals.fee)} digits={6} symbol={native} />
        </Fact>
        {chain === 'solana' && (
          <>
            <Fact label={t('tip')}>
              <Amount value={known(totals.tip)} digits={6} symbol={native} />
            </Fact>
            <Fact label={t('rent')}>
              <Amount value={known(totals.rent)} digits={6} symbol={native} />
            </Fact>
          </>
        )}
        <Fact label={t('impact')}>
          <span data-severity={severity} className={classes.impact}>
            {impact}
            {severity !== 'low' && ` · ${t(`severity.${severity}`)}`}
          </span>
        </Fact>
        {facts.map(([label, value]) => (
          <Fact key={label} label={label}>
            {value}
          </Fact>
        ))}
        {preview.gasPrice !== null && (
          <Fact label={t('gas')}>
            <Amount value={preview.gasPrice} digits={3} symbol="gwei" />
          </Fact>
        )}
      </dl>
      {totals.failing > 0 && <p className={classes.warning}>{t('left_out', { count: totals.failing })}</p>}
      {totals.trading > 1 && <p className={classes.hint}>{t('each_alone')}</p>}
      {preview.batches.map(({ legs }, index) => (
        <ReviewLegs
          key={legs[0]?.address ?? index}
          legs={legs}
          chain={chain}
          paid={paid}
          received={received}
          {...(preview.batches.length > 1 && { number: index + 1, of: preview.batches.length })}
        />
      ))}
    </>
  );
}

function Fact({ label, isMain, children }: { label: string; isMain?: boolean; children: React.ReactNode }) {
  return (
    <div className={classes.fact} data-main={isMain}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
