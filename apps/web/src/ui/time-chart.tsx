import {
  AreaSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineSeries,
  type IChartApi,
  type SeriesMarker,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Action } from '@kervan/contract';
import { useLanguage } from '../lib/i18n.ts';
import classes from './time-chart.module.css';
import { axisStep, type TimePoint, type TradeMark } from './time-points.ts';

interface TimeChartProps {
  /** What the picture shows, in words, for those who can't see it. */
  label: string;
  points: readonly TimePoint[];
  shape: 'area' | 'bars' | 'line';
  /** Trades to mark on a line. */
  marks?: readonly TradeMark[];
  /** A value on the axis; the exact figures stand beside the chart. */
  formatValue: (value: number) => string;
}

/** The bars of a few days would fill the chart. */
const MAX_BAR_PX = 48;

const NO_MARKS: readonly TradeMark[] = [];

/** Values over time. Loaded only where a chart is shown: the drawing library is most of its size. */
export function TimeChart({ label, points, shape, marks = NO_MARKS, formatValue }: TimeChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const language = useLanguage();
  const format = useEffectEvent(formatValue);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const chart = draw(element, { points, shape, marks, language, format: (value) => format(value) });
    return () => chart.remove();
  }, [points, shape, marks, language]);

  return <div ref={frame} className={classes.chart} role="img" aria-label={label} />;
}

interface Drawing extends Required<Pick<TimeChartProps, 'points' | 'shape' | 'marks'>> {
  language: string;
  format: (value: number) => string;
}

function draw(element: HTMLElement, { points, shape, marks, language, format }: Drawing): IChartApi {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--kv-${name}`).trim();
  const isByDay = shape === 'bars';
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: colour('surface') },
      textColor: colour('muted'),
      fontFamily: style.fontFamily,
      // Its logo would bring a style sheet of its own, which the content policy refuses; the credit stands below.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colour('hairline') } },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, timeVisible: !isByDay, maxBarSpacing: isByDay ? MAX_BAR_PX : 0 },
    localization: { locale: language },
    handleScroll: false,
    handleScale: false,
  });
  const data = points.map(({ time, value }) => ({ time: time as UTCTimestamp, value })); // seconds, as the library wants
  const accent = colour('accent');
  // Without a step of its own an axis knows cents only, and most tokens cost less than one.
  const priceFormat = { type: 'custom', formatter: format, minMove: axisStep(points) } as const;
  const common = { priceFormat, priceLineVisible: false };
  if (shape === 'bars') {
    const [gain, loss] = [colour('gain'), colour('loss')];
    const series = chart.addSeries(HistogramSeries, { ...common, lastValueVisible: false });
    series.setData(data.map((point) => ({ ...point, color: point.value < 0 ? loss : gain })));
  } else if (shape === 'area') {
    const options = {
      lineColor: accent,
      topColor: `${accent}33`,
      bottomColor: `${accent}00`,
      lineWidth: 2,
    } as const;
    chart.addSeries(AreaSeries, { ...common, ...options }).setData(data);
  } else {
    const series = chart.addSeries(LineSeries, { ...common, color: accent, lineWidth: 1 });
    series.setData(data);
    createSeriesMarkers(
      series,
      marks.map((mark) => toMarker(mark, colour)),
    );
  }
  chart.timeScale().fitContent();
  return chart;
}

const MARKERS = {
  buy: { position: 'belowBar', shape: 'arrowUp', tone: 'gain' },
  sell: { position: 'aboveBar', shape: 'arrowDown', tone: 'loss' },
} as const satisfies Record<Action, object>;

function toMarker({ time, action }: TradeMark, colour: (name: string) => string): SeriesMarker<UTCTimestamp> {
  const { position, shape, tone } = MARKERS[action];
  return { time: time as UTCTimestamp, position, shape, color: colour(tone) }; // seconds, as the library wants
}
