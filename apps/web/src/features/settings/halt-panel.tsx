import { useTranslation } from 'react-i18next';
import { useRouteQuery } from '../../lib/query.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './settings.module.css';

/** Whether trading is halted; the switch itself is always in the same place, the header. */
export function HaltPanel() {
  const { t } = useTranslation('settings');
  const { data } = useRouteQuery('getHalt', {});
  return (
    <Panel title={t('halt')}>
      <p className={classes.text}>{data && t(data.halted ? 'halt_on' : 'halt_off')}</p>
      <p className={classes.hint}>{t('halt_where')}</p>
    </Panel>
  );
}
