import { useTranslation } from 'react-i18next';
import { ApiError } from '../lib/api-error.ts';
import classes from './error-panel.module.css';

/** An error's code, and the request id that finds it in the server's log. */
export function ErrorDetails({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { code, requestId } = error instanceof ApiError ? error : { code: 'INTERNAL', requestId: null };
  return (
    <p className={classes.details}>
      {t('error.details', { code })}
      {requestId !== null && (
        <>
          {' · '}
          {t('error.request')} <span translate="no">{requestId}</span>
        </>
      )}
    </p>
  );
}
