import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../lib/format.ts';
import { useLanguage } from '../lib/i18n.ts';

interface PaginationProps {
  page: number;
  pages: number;
  onChange: (page: number) => void;
}

/** The way through the pages of a list; nothing where there is one page only. */
export function Pagination({ page, pages, onChange }: PaginationProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (pages <= 1) return null;
  return (
    <nav aria-label={t('pages.label')}>
      <Group justify="space-between" gap="sm" mt="sm">
        <span role="status">
          {t('pages.showing', { page: formatCount(page, language), pages: formatCount(pages, language) })}
        </span>
        <Group gap="xs">
          <Button variant="default" disabled={page <= 1} onClick={() => onChange(page - 1)}>
            {t('pages.previous')}
          </Button>
          <Button variant="default" disabled={page >= pages} onClick={() => onChange(page + 1)}>
            {t('pages.next')}
          </Button>
        </Group>
      </Group>
    </nav>
  );
}
