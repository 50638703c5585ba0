import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Action, Chain, TradeSource, TradeStatus } from '@kervan/contract';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import classes from './history.module.css';

export interface HistoryFilters {
  readonly chain: Chain | 'all';
  readonly source: TradeSource | 'all';
  readonly action: Action | 'all';
  readonly status: TradeStatus | 'all';
}

const SOURCES = ['volume', 'bot', 'fast-swap'] as const satisfies readonly TradeSource[];
const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
const ACTIONS = ['buy', 'sell'] as const satisfies readonly Action[];
const STATUSES = ['pending', 'success', 'failed', 'cancelled'] as const satisfies readonly TradeStatus[];

interface HistoryFiltersPanelProps {
  filters: HistoryFilters;
  onChange: (changed: Partial<HistoryFilters>) => void;
  search: string;
  onSearch: (text: string) => void;
}

/** What the server is asked for, and a text that is looked for in the page shown. */
export function HistoryFiltersPanel({ filters, onChange, search, onSearch }: HistoryFiltersPanelProps) {
  const { t } = useTranslation('history');
  const { t: common } = useTranslation();
  const all = { value: 'all', label: t('all') } as const;
  return (
    <Panel className={classes.filters ?? ''}>
      <div className={classes.fields}>
        <Select
          label={t('filter.source')}
          value={filters.source}
          options={[all, ...SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))]}
          onChange={(source) => onChange({ source })}
        />
        <Select
          label={t('filter.chain')}
          value={filters.chain}
          options={[all, ...CHAINS.map((value) => ({ value, label: common(`chain.${value}`) }))]}
          onChange={(chain) => onChange({ chain })}
        />
        <Select
          label={t('filter.action')}
          value={filters.action}
          options={[all, ...ACTIONS.map((value) => ({ value, label: t(`action.${value}`) }))]}
          onChange={(action) => onChange({ action })}
        />
        <Select
          label={t('filter.status')}
          value={filters.status}
          options={[all, ...STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))]}
          onChange={(status) => onChange({ status })}
        />
        <TextInput
          className={classes.search ?? ''}
          label={t('search')}
          placeholder={t('search_hint')}
          value={search}
          onChange={(event) => onSearch(event.currentTarget.value)}
          type="search"
          autoComplete="off"
        />
      </div>
    </Panel>
  );
}
