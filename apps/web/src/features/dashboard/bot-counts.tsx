import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';
import type { BotSummary } from './use-overview.ts';

export function BotCounts({ bots }: { bots: readonly BotSummary[] }) {
  const { t } = useTranslation('dashboard');
  const language = useLanguage();
  const active = bots.filter((bot) => bot.isActive).length;
  const cards = [
    { label: t('active_count'), count: active },
    { label: t('inactive_count'), count: bots.length - active },
  ];
  return (
    <Panel title={t('bot_counts')}>
      <div className={classes.counts}>
        {cards.map(({ label, count }) => (
          <div key={label}>
            <p className={classes.label}>{label}</p>
            <p className={classes.figure}>{formatCount(count, language)}</p>
          </div>
        ))}
      </div>
    </Panel>
  );
}
