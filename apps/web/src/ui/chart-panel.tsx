import { Anchor, Skeleton, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './chart-panel.module.css';

const TimeChart = lazy(async () => ({ default: (await import('./time-chart.tsx')).TimeChart }));

interface ChartPanelProps extends ComponentProps<typeof TimeChart> {
  /** What stands there while there is nothing to draw. */
  empty: string;
}

/** A chart with its place held while it is loaded, and the credit that its library's licence asks for. */
export function ChartPanel({ empty, ...chart }: ChartPanelProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('dark');
  if (chart.points.length < 2) return <p className={classes.empty}>{empty}</p>;
  return (
    <>
      <Suspense fallback={<Skeleton height={220} />}>
        {/* Drawn anew in the colours of the other scheme. */}
        <TimeChart key={scheme} {...chart} />
      </Suspense>
      <p className={classes.credit}>
        <Anchor
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noopener noreferrer"
          size="xs"
          c="dimmed"
        >
          {t('chart_credit')}
        </Anchor>
      </p>
    </>
  );
}
