import './locale.ts';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Skeleton, Stack, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { setLanguage, useLanguage } from '../../lib/i18n.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { AboutPanel } from './about-panel.tsx';
import { BscPanel } from './bsc-panel.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { HaltPanel } from './halt-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { SolanaPanel } from './solana-panel.tsx';
import classes from './settings.module.css';

export function Settings() {
  const { t } = useTranslation('settings');
  const query = useRouteQuery('getSettings', {});
  return (
    <Page title={t('title')} description={t('description')}>
      <Stack gap="sm">
        <Appearance />
        <QueryView query={query} skeleton={<Skeleton height={420} />}>
          {(settings) => (
            <Stack gap="sm">
              <ConnectionPanel settings={settings} />
              <div className={classes.columns}>
                <SolanaPanel solana={settings.solana} />
                <BscPanel bsc={settings.bsc} />
              </div>
              <LimitsPanel settings={settings} />
            </Stack>
          )}
        </QueryView>
        <HaltPanel />
        <SessionsPanel />
        <AboutPanel />
      </Stack>
    </Page>
  );
}

function Appearance() {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel>
      <div className={classes.columns}>
        <Choice
          label={t('language')}
          value={language}
          options={[
            { value: 'tr', label: t('turkish') },
            { value: 'en', label: t('english') },
          ]}
          onChange={setLanguage}
        />
        <Choice
          label={t('scheme')}
          value={colorScheme}
          options={[
            { value: 'auto', label: t('scheme_auto') },
            { value: 'dark', label: t('scheme_dark') },
            { value: 'light', label: t('scheme_light') },
          ]}
          onChange={setColorScheme}
        />
      </div>
    </Panel>
  );
}
