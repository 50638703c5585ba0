import type { QuerySentTo, Language, routes } from '@kervan/contract';
import { parseDecimalInput } from '../../lib/decimal.ts';

export const DATE_RANGES = ['1d', '7d', '30d', '90d', 'all'] as const;
export const CHAINS = ['all', 'solana', 'bsc'] as const;
export const TYPES = ['all', 'buy', 'sell'] as const;

/** What stands in the filter panel: the bounds as they are typed. */
export interface Filters {
  readonly chain: (typeof CHAINS)[number];
  readonly type: (typeof TYPES)[number];
  readonly dateRange: (typeof DATE_RANGES)[number];
  readonly minUsd: string;
  readonly maxUsd: string;
}

/** Spec §9. */
export const NO_FILTERS: Filters = { chain: 'all', type: 'all', dateRange: '7d', minUsd: '', maxUsd: '' };

export type Bound = 'minUsd' | 'maxUsd';
type Query = Omit<QuerySentTo<(typeof routes)['enterpriseLogs']>, 'page' | 'limit'>;

/** The filters as the API takes them; a bound that is no number filters nothing, and is named. */
export function readFilters(filters: Filters, language: Language): { query: Query; wrong: readonly Bound[] } {
  const { chain, type, dateRange } = filters;
  const wrong: Bound[] = [];
  const read = (bound: Bound): string | undefined => {
    const text = filters[bound].trim();
    if (text === '') return undefined;
    const value = parseDecimalInput(text, language);
    if (value === undefined) wrong.push(bound);
    return value;
  };
  const [minUsd, maxUsd] = [read('minUsd'), read('maxUsd')];
  const query = {
    chain,
    type,
    dateRange,
    ...(minUsd !== undefined && { minUsd }),
    ...(maxUsd !== undefined && { maxUsd }),
  };
  return { query, wrong };
}
