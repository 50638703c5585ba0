import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type VolumeStats } from '@kervan/contract';
import { formatCount, UNKNOWN } from '../../lib/format.ts';
import { useNow } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './volume.module.css';

const MINUTE_MS = 60_000;

/** Volume, trades, active wallets, and the uptime in whole minutes (spec §2). */
export function StatCards({ chain, stats }: { chain: Chain; stats: VolumeStats }) {
  const { t } = useTranslation('volume');
  const language = useLanguage();
  const now = useNow();
  const minutes =
    stats.startTime === null ? undefined : Math.max(0, Math.floor((now - stats.startTime) / MINUTE_MS));
  const cards = [
    { label: t('volume'), figure: <Amount value={stats.totalVolume} symbol={NATIVE[chain].symbol} /> },
    { label: t('trades'), figure: formatCount(stats.totalTrades, language) },
    { label: t('active_wallets'), figure: formatCount(stats.activeWallets, language) },
    {
      label: t('uptime'),
      figure: minutes === undefined ? UNKNOWN : t('minutes', { count: minutes }),
    },
  ];
  return (
    <div className={classes.cards}>
      {cards.map(({ label, figure }) => (
        <Panel key={label}>
          <p className={classes.label}>{label}</p>
          <p className={classes.figure}>{figure}</p>
        </Panel>
      ))}
    </div>
  );
}
