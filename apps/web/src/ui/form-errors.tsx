import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './form-errors.module.css';

export interface FormError {
  /** The id of the field it belongs to; none for the form as a whole. */
  fieldId?: string;
  text: string;
}

/** The summary above a form that was not accepted. It takes the focus each time `attempt` changes. */
export function FormErrors({ errors, attempt }: { errors: readonly FormError[]; attempt: number }) {
  const { t } = useTranslation();
  const summary = useRef<HTMLDivElement>(null);
  const hasErrors = errors.length > 0;
  useEffect(() => {
    if (attempt > 0) summary.current?.focus();
  }, [attempt]);
  if (!hasErrors) return null;
  return (
    <div ref={summary} className={classes.summary} role="alert" tabIndex={-1}>
      <strong>{t('error.summary', { count: errors.length })}</strong>
      <ul>
        {errors.map(({ fieldId, text }) => (
          <li key={`${fieldId} ${text}`}>
            {fieldId === undefined ? (
              text
            ) : (
              <a
                href={`#${fieldId}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(fieldId)?.focus();
                }}
              >
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
