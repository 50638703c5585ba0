import './locale.ts';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setLanguage, useLanguage } from '../../lib/i18n.ts';
import { LANGUAGES } from '../../lib/language.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';

export function Settings() {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Page title={t('title')} description={t('description')}>
      <Stack gap="sm">
        <Panel title={t('language')}>
          <SegmentedControl
            aria-label={t('language')}
            value={language}
            data={[
              { value: 'tr', label: t('turkish') },
              { value: 'en', label: t('english') },
            ]}
            onChange={(value) => setLanguage(LANGUAGES.find((known) => known === value) ?? language)}
          />
        </Panel>
        <Panel title={t('scheme')}>
          <SegmentedControl
            aria-label={t('scheme')}
            value={colorScheme}
            data={[
              { value: 'auto', label: t('scheme_auto') },
              { value: 'dark', label: t('scheme_dark') },
              { value: 'light', label: t('scheme_light') },
            ]}
            onChange={setColorScheme}
          />
        </Panel>
        <Panel title={t('later_title')}>
          <Text c="dimmed">{t('later')}</Text>
        </Panel>
      </Stack>
    </Page>
  );
}
