import { availableParallelism, loadavg } from 'node:os';

/** One line of the table. Without a limit it is there to be known, not to be judged. */
export interface Figure {
  readonly claim: string;
  readonly measured: string;
  readonly limit?: string;
  readonly isOver?: boolean;
}

/** A measured number against the most that it may be. */
export function atMost(claim: string, value: number, limit: number, show: (value: number) => string): Figure {
  // Not a number is no proof either.
  return { claim, measured: show(value), limit: `at most ${show(limit)}`, isOver: !(value <= limit) };
}

/** A measured number against the least that it has to be for the other figures to mean anything. */
export function atLeast(
  claim: string,
  value: number,
  limit: number,
  show: (value: number) => string,
): Figure {
  return { claim, measured: show(value), limit: `at least ${show(limit)}`, isOver: !(value >= limit) };
}

export const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const times = (value: number): string => `${value.toFixed(2)} x`;
export const percent = (value: number): string => `${value.toFixed(value < 99.5 ? 0 : 2)} %`;
export const megabytes = (value: number): string => `${Math.round(value / 1e6)} MB`;
export const perSecond = (value: number): string => `${value.toFixed(1)} /s`;

/** How busy the machine was, itself included, when a figure was taken. */
export function machineLoad(): string {
  const [lastMinute = 0] = loadavg();
  return `${lastMinute.toFixed(1)} on ${availableParallelism()} cores`;
}

export function formatTable(figures: readonly Figure[]): string {
  const rows = [
    ['claim', 'measured', 'limit', ''],
    ...figures.map(({ claim, measured, limit = '', isOver }) => [
      claim,
      measured,
      limit,
      isOver === undefined ? '' : isOver ? 'OVER' : 'ok',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
