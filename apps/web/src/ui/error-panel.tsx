import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/api-error.ts';
import { useLanguage } from '../lib/i18n.ts';
import { ErrorDetails } from './error-details.tsx';
import classes from './error-panel.module.css';

interface ErrorPanelProps {
  error: unknown;
  onRetry?: () => void;
  isRetrying?: boolean;
}

/** An error inside a panel: what happened, its code, the request id to look it up by, and the way to try again. */
export function ErrorPanel({ error, onRetry, isRetrying = false }: ErrorPanelProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={classes.error} role="alert">
      <IconAlertTriangle size={18} aria-hidden="true" className={classes.icon} />
      <div className={classes.text}>
        <strong>{t('error.title')}</strong>
        <p>{errorText(error, language)}</p>
        <ErrorDetails error={error} />
      </div>
      {onRetry && (
        <Button variant="default" onClick={onRetry} loading={isRetrying}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  );
}
