import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { errorText, isApiError } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { ErrorDetails } from '../../ui/error-details.tsx';
import type { Failure } from './volume.tsx';
import classes from './volume.module.css';

/** Spec §8: the red box. It takes the focus, as what failed may have been asked for far below it. */
export function FailureBox({ chain, failure: { what, error } }: { chain: Chain; failure: Failure }) {
  const { t } = useTranslation('volume');
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} className={classes.failure} role="alert" tabIndex={-1}>
      <strong>{t('error')}</strong>
      <p>{t(`failed.${what}.${chain}`)}</p>
      <p>{isApiError(error) ? errorText(error, language) : t('error_unknown')}</p>
      <ErrorDetails error={error} />
    </div>
  );
}
