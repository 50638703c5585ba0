import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { errorText, isApiError } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import type { Failure } from './volume.tsx';
import classes from './volume.module.css';

/** Spec §8: the red box. */
export function FailureBox({ chain, failure: { what, error } }: { chain: Chain; failure: Failure }) {
  const { t } = useTranslation('volume');
  const language = useLanguage();
  return (
    <div className={classes.failure} role="alert">
      <strong>{t('error')}</strong>
      <p>{t(`failed.${what}.${chain}`)}</p>
      <p>{isApiError(error) ? errorText(error, language) : t('error_unknown')}</p>
    </div>
  );
}
