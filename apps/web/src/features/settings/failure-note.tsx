import { useTranslation } from 'react-i18next';
import { errorText } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import classes from './settings.module.css';

/** Why something was not saved; it stays when the button is itself again. */
export function FailureNote({ failure }: { failure: unknown }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  if (failure === undefined) return null;
  return (
    <p role="alert" className={classes.problem}>
      {t('errorSaving', { reason: errorText(failure, language) })}
    </p>
  );
}
