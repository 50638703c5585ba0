import { ActionIcon } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setLanguage, useLanguage } from '../lib/i18n.ts';
import { Flag } from './flag.tsx';

/** Shows the flag of the language in use; its label is in the other one, for whom it is meant. */
export function LanguageToggle() {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  const other = language === 'tr' ? 'en' : 'tr';
  const label = t('language.switch');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      lang={other}
      onClick={() => setLanguage(other)}
    >
      <Flag language={language} />
    </ActionIcon>
  );
}
