import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { formatAmount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { ChartPanel } from '../../ui/chart-panel.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { chartTime, toTimePoints } from '../../ui/time-points.ts';
import classes from './history.module.css';

/** On the axis; prices of many tokens are far below one. */
const AXIS_DIGITS = 9;

/** The prices at which a bot bought and sold. */
export function BotPriceChart({ bot }: { bot: Bot }) {
  const { t } = useTranslation('history');
  const language = useLanguage();
  const query = useRouteQuery('botChart', { params: { id: bot.id } });
  const { points, marks } = useMemo(() => {
    const trades = query.data?.points ?? [];
    return {
      points: toTimePoints(trades.map(({ at, price }) => ({ at, value: price }))),
      marks: trades.map(({ at, action }) => ({ time: chartTime(at), action })),
    };
  }, [query.data]);
  const chain = 'slippage_percent' in bot ? 'bsc' : 'solana';
  const title = t('price_chart', { token: query.data?.token_symbol ?? '', native: NATIVE[chain].symbol });
  return (
    <Panel title={title} className={classes.filters ?? ''}>
      <QueryView query={query} skeleton={<Skeleton height={220} />}>
        {() => (
          <ChartPanel
            label={title}
            points={points}
            shape="line"
            marks={marks}
            formatValue={(value) =>
              formatAmount(value.toFixed(AXIS_DIGITS), { digits: AXIS_DIGITS, isTrimmed: true }, language)
            }
            empty={t('chart_empty')}
          />
        )}
      </QueryView>
    </Panel>
  );
}
