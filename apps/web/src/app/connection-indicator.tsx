import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLiveState, useNow } from '../lib/hooks.ts';
import classes from './connection-indicator.module.css';

/** A connection lost for longer than this is told by the age of what is shown. */
const STALE_AFTER_SEC = 5;

/** Live, Reconnecting, or Stale with its age: a dot and a word. */
export function ConnectionIndicator() {
  const { t } = useTranslation('shell');
  const live = useLiveState();
  const isLost = live.status === 'reconnecting';
  const now = useNow(1_000, isLost);
  const seconds = isLost ? Math.max(0, Math.round((now - live.since) / 1_000)) : 0;
  const word = t(`connection.${live.status === 'off' ? 'connecting' : live.status}`);
  const shown = isLost && seconds >= STALE_AFTER_SEC ? t('connection.stale', { seconds }) : word;
  return (
    <div className={classes.indicator} data-status={live.status}>
      <span className={classes.dot} aria-hidden="true" />
      <span aria-hidden="true">{shown}</span>
      {/* The seconds are not read out one by one. */}
      <VisuallyHidden role="status">{`${t('connection.label')}: ${word}`}</VisuallyHidden>
    </div>
  );
}
