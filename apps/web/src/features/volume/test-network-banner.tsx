import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { useNetworkKinds } from '../../lib/hooks.ts';
import classes from './volume.module.css';

/** What a session is for and where it may run; on a live network why nothing can be started. */
export function TestNetworkBanner({ chain }: { chain: Chain }) {
  const { t } = useTranslation('volume');
  const isLive = useNetworkKinds()[chain] === 'live';
  return (
    <div className={classes.banner} role="note">
      <IconAlertTriangle size={18} aria-hidden="true" className={classes.bannerIcon} />
      <div>
        <strong>{t('banner_title')}</strong>
        <p>{t('banner')}</p>
        {isLive && <p className={classes.problem}>{t('live')}</p>}
      </div>
    </div>
  );
}
