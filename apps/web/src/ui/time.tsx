import { useTranslation } from 'react-i18next';
import { formatDate, type DateStyle } from '../lib/format.ts';
import { useLanguage } from '../lib/i18n.ts';

/** A moment in the reader's time zone; "Unknown" when it is no date (spec §8). */
export function Time({ value, shows = 'date-time' }: { value: string; shows?: DateStyle }) {
  const { t } = useTranslation();
  const text = formatDate(value, shows, useLanguage());
  return text === undefined ? <span>{t('unknown')}</span> : <time dateTime={value}>{text}</time>;
}
