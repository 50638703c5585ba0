import { useTranslation } from 'react-i18next';
import type { VolumeState } from '@kervan/contract';
import classes from './volume.module.css';

/** Whether a session is under way, and in which part of its life. */
export function RunningBadge({ state }: { state: VolumeState | null }) {
  const { t } = useTranslation('volume');
  return (
    <span className={classes.badge} data-state={state ?? 'none'} role="status">
      <span className={classes.dot} aria-hidden="true" />
      {t(state === null ? 'inactive' : `active.${state}`)}
    </span>
  );
}
