import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { logWarning } from '../lib/log.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** Keeps the shell when a view breaks, or when its code is gone because the server was updated. */
export class ViewBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: Error): void {
    logWarning('a view failed', error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <FailedView /> : this.props.children;
  }
}

function FailedView() {
  const { t } = useTranslation();
  return (
    <Page title={t('error.title')}>
      <EmptyState
        title={t('error.view')}
        action={<Button onClick={() => location.reload()}>{t('action.reload')}</Button>}
      />
    </Page>
  );
}
