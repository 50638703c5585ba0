import { useTranslation } from 'react-i18next';
import classes from './active-badge.module.css';

/** Whether a bot runs: a dot and a word. */
export function ActiveBadge({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation();
  return (
    <span className={classes.badge} data-active={isActive}>
      <span className={classes.dot} aria-hidden="true" />
      {t(isActive ? 'bot_status.active' : 'bot_status.inactive')}
    </span>
  );
}
