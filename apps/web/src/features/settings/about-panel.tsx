import { useTranslation } from 'react-i18next';
import { useRouteQuery } from '../../lib/query.ts';
import { UNKNOWN } from '../../lib/format.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './settings.module.css';

/** What this is, and that the sandbox is its demo mode. */
export function AboutPanel() {
  const { t } = useTranslation('settings');
  const { data } = useRouteQuery('health', {});
  return (
    <Panel title={t('about')}>
      <p className={classes.text}>{t('about_body')}</p>
      <p className={classes.hint}>{t('version', { version: data?.version ?? UNKNOWN })}</p>
      <p className={classes.demo}>{t('demo')}</p>
    </Panel>
  );
}
