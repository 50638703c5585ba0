import './locale.ts';
import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HISTORY_PAGE_SIZE } from '@kervan/contract';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Page } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import { HistoryFiltersPanel, type HistoryFilters } from './history-filters.tsx';
import classes from './history.module.css';
import { matchesSearch } from './trade-search.ts';
import { TradeTable } from './trade-table.tsx';
import { useTrades } from './use-trades.ts';

/** Every trade, page by page; it opens with those of volume sessions, by which spec §2 names the view. */
export function TradeHistory() {
  const { t } = useTranslation('history');
  const language = useLanguage();
  const [filters, setFilters] = useState<HistoryFilters>({
    chain: 'all',
    source: 'volume',
    action: 'all',
    status: 'all',
  });
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const { chain, source, action, status } = filters;
  const query = useTrades({
    page,
    limit: HISTORY_PAGE_SIZE,
    sort_by: 'executed_at',
    sort_order: 'desc',
    ...(chain !== 'all' && { chain }),
    ...(source !== 'all' && { source }),
    ...(action !== 'all' && { action }),
    ...(status !== 'all' && { status }),
  });
  if (query.data && !query.isPlaceholderData && page > query.pages) setPage(query.pages);

  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <ReloadButton
          isLoading={query.isFetching && query.data !== undefined}
          onClick={() => void query.refetch()}
        />
      }
    >
      <HistoryFiltersPanel
        filters={filters}
        onChange={(changed) => {
          setFilters((before) => ({ ...before, ...changed }));
          setPage(1);
        }}
        search={search}
        onSearch={setSearch}
      />
      <QueryView query={query} skeleton={<Skeleton height={420} />}>
        {({ trades, total }) => {
          const shown = trades.filter((trade) => matchesSearch(trade, search));
          return (
            <>
              <p className={classes.summary} role="status">
                {t('total', { count: total, formatted: formatCount(total, language) })}
                {search.trim() !== '' && ` · ${t('found', { count: shown.length })}`}
              </p>
              <TradeTable
                label={t('title')}
                trades={shown}
                empty={t('empty')}
                isStale={query.isPlaceholderData}
              />
              <Pagination page={page} pages={query.pages} onChange={setPage} />
            </>
          );
        }}
      </QueryView>
    </Page>
  );
}
