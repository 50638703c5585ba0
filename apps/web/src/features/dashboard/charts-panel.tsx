import { Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type ChartRange } from '@kervan/contract';
import { formatAmount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { Amount } from '../../ui/amount.tsx';
import { ChartPanel } from '../../ui/chart-panel.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Select } from '../../ui/select.tsx';
import { toTimePoints } from '../../ui/time-points.ts';
import classes from './dashboard.module.css';

const RANGES = ['1d', '7d', '30d', '90d', 'all'] as const satisfies readonly ChartRange[];
/** On the axis of a chart. */
const AXIS_DIGITS = 4;

/** Balance and realised result over time, of one chain at a time. */
export function ChartsPanel() {
  const { t } = useTranslation('dashboard');
  const { t: common } = useTranslation();
  const [chain, setChain] = useState<Chain>('solana');
  const [range, setRange] = useState<ChartRange>('7d');
  return (
    <Panel title={t('charts')} className={classes.charts ?? ''}>
      <div className={classes.chartChoices}>
        <Choice<Chain>
          label={t('chart_chain')}
          value={chain}
          options={[
            { value: 'solana', label: common('chain.solana') },
            { value: 'bsc', label: common('chain.bsc') },
          ]}
          onChange={setChain}
        />
        <Select
          label={t('chart_range')}
          value={range}
          options={RANGES.map((value) => ({ value, label: t(`range.${value}`) }))}
          onChange={setRange}
        />
      </div>
      <div className={classes.columns}>
        <BalanceChart chain={chain} range={range} />
        <ResultChart chain={chain} range={range} />
      </div>
    </Panel>
  );
}

interface ChartProps {
  chain: Chain;
  range: ChartRange;
}

function BalanceChart({ chain, range }: ChartProps) {
  const { t } = useTranslation('dashboard');
  const language = useLanguage();
  const query = useRouteQuery('balanceChart', { query: { chain, range } });
  const points = useMemo(
    () => toTimePoints((query.data?.points ?? []).map(({ at, balance }) => ({ at, value: balance }))),
    [query.data],
  );
  const last = query.data?.points.at(-1)?.balance;
  const { symbol } = NATIVE[chain];
  return (
    <section>
      <p className={classes.chartTitle}>
        {t('balance_over_time')} <Amount value={last} symbol={symbol} />
      </p>
      <QueryView query={query} skeleton={<Skeleton height={220} />}>
        {() => (
          <ChartPanel
            label={`${t('balance_over_time')}: ${formatAmount(last, { digits: 4 }, language)} ${symbol}`}
            points={points}
            shape="area"
            formatValue={(value) => axisText(value, language)}
            empty={t('chart_empty')}
          />
        )}
      </QueryView>
    </section>
  );
}

function ResultChart({ chain, range }: ChartProps) {
  const { t } = useTranslation('dashboard');
  const language = useLanguage();
  const query = useRouteQuery('resultChart', { query: { chain, range } });
  const points = useMemo(
    () => toTimePoints((query.data?.points ?? []).map(({ date, net }) => ({ at: date, value: net }))),
    [query.data],
  );
  const total = query.data?.points.at(-1)?.total;
  const { symbol } = NATIVE[chain];
  return (
    <section>
      <p className={classes.chartTitle}>
        {t('result_by_day')} <Amount value={total} symbol={symbol} isSigned />
      </p>
      <QueryView query={query} skeleton={<Skeleton height={220} />}>
        {() => (
          <ChartPanel
            label={`${t('result_by_day')}: ${formatAmount(total, { digits: 4, isSigned: true }, language)} ${symbol}`}
            points={points}
            shape="bars"
            formatValue={(value) => axisText(value, language)}
            empty={t('chart_empty')}
          />
        )}
      </QueryView>
    </section>
  );
}

function axisText(value: number, language: Parameters<typeof formatAmount>[2]): string {
  return formatAmount(value.toFixed(AXIS_DIGITS), { digits: AXIS_DIGITS, isTrimmed: true }, language);
}
