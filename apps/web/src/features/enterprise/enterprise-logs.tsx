import './locale.ts';
import '@mantine/core/styles/Menu.layer.css';
import { Button, Menu, Skeleton } from '@mantine/core';
import { IconDownload, IconFilter } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ENTERPRISE_PAGE_SIZE,
  enterpriseCsvHeader,
  enterpriseCsvLine,
  enterpriseCsvName,
  type EnterpriseLog,
} from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { downloadFile } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { routeQuery } from '../../lib/query.ts';
import { saveFile, saveText } from '../../lib/save-file.ts';
import { useServices } from '../../lib/services.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ReloadButton } from '../../ui/reload-button.tsx';
import classes from './enterprise.module.css';
import { FilterPanel } from './filter-panel.tsx';
import { NO_FILTERS, readFilters, type Filters } from './filters.ts';
import { useColumns } from './use-columns.tsx';

/** All successful trades of both chains, filtered, page by page, and as a file. */
export function EnterpriseLogs() {
  const { t } = useTranslation('enterprise');
  const language = useLanguage();
  const { api, session } = useServices();
  const [filters, setFilters] = useState<Filters>(NO_FILTERS);
  const [isFiltering, setFiltering] = useState(false);
  const [page, setPage] = useState(1);
  const [failure, setFailure] = useState<unknown>();
  const [isExporting, setExporting] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const { query: asked, wrong } = readFilters(filters, language);
  const columns = useColumns();
  const query = useQuery({
    ...routeQuery(api, 'enterpriseLogs', { query: { ...asked, page, limit: ENTERPRISE_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const pages = Math.max(1, Math.ceil((query.data?.total ?? 0) / ENTERPRISE_PAGE_SIZE));
  // Fewer trades than before: the page that was open may be past the end (spec §4).
  if (query.data && !query.isPlaceholderData && page > pages) setPage(pages);

  function exportPage(logs: readonly EnterpriseLog[]): void {
    const text = enterpriseCsvHeader() + logs.map(enterpriseCsvLine).join('');
    saveText(enterpriseCsvName(new Date()), text, 'text/csv');
  }

  async function exportAll(): Promise<void> {
    setFailure(undefined);
    setExporting(true);
    const { signal } = leaving.current;
    try {
      const file = await downloadFile(session, 'enterpriseLogsCsv', { query: asked }, signal);
      saveFile(enterpriseCsvName(new Date()), file);
    } catch (error) {
      if (!signal.aborted) setFailure(error);
    }
    setExporting(false);
  }

  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFilter size={16} />}
            aria-expanded={isFiltering}
            onClick={() => setFiltering(!isFiltering)}
          >
            {t('filter_button')}
          </Button>
          <Menu withinPortal={false} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button variant="default" leftSection={<IconDownload size={16} />} loading={isExporting}>
                {t('export')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                disabled={query.data === undefined || query.data.logs.length === 0}
                onClick={() => query.data && exportPage(query.data.logs)}
              >
                {t('export_page')}
              </Menu.Item>
              <Menu.Item onClick={() => void exportAll()}>{t('export_all')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <ReloadButton
            isLoading={query.isFetching && query.data !== undefined}
            onClick={() => void query.refetch()}
          />
        </>
      }
    >
      {isFiltering && (
        <FilterPanel
          filters={filters}
          wrong={wrong}
          onChange={(changed) => {
            setFilters((before) => ({ ...before, ...changed }));
            setPage(1);
          }}
        />
      )}
      {failure !== undefined && (
        <p className={classes.problem} role="alert">
          {t('export_failed', { reason: errorText(failure, language) })}
        </p>
      )}
      <QueryView query={query} skeleton={<Skeleton height={420} />}>
        {({ logs, total }) => (
          <>
            <p className={classes.summary} role="status">
              {t('total', { count: total, formatted: formatCount(total, language) })}
            </p>
            <DataTable
              label={t('title')}
              columns={columns}
              rows={logs}
              rowKey={(log) => log.id}
              empty={t('empty')}
              isStale={query.isPlaceholderData}
            />
            <Pagination page={page} pages={pages} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Page>
  );
}
