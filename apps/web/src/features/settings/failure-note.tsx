import { useTranslation } from 'react-i18next';
import { codeText, errorText, isApiError } from '../../lib/api-error.ts';
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

/** The same for the field that the server named, under the label that people know it by. */
export function useFieldFailure(failure: unknown, field: string, label: string) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  if (!isApiError(failure) || failure.context['field'] !== field) return undefined;
  const reason = codeText(failure.code, { ...failure.context, field: label }, language) ?? failure.message;
  return <span role="alert">{t('errorSaving', { reason })}</span>;
}
