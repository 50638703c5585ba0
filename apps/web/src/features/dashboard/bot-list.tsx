import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { UNKNOWN } from '../../lib/format.ts';
import { useNavigation } from '../../lib/navigation.ts';
import { ChainTag } from '../../ui/chain-tag.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ActiveBadge } from '../../ui/active-badge.tsx';
import classes from './dashboard.module.css';
import { RowSkeletons } from './row-skeletons.tsx';
import type { BotSummary } from './use-overview.ts';

const SHOWN = 5;

interface BotListProps {
  bots: readonly BotSummary[] | undefined;
  hasWallets: boolean;
  hasFailed: boolean;
}

/** The first bots and whether they run. */
export function BotList({ bots, hasWallets, hasFailed }: BotListProps) {
  const { t } = useTranslation('dashboard');
  const { navigate } = useNavigation();
  return (
    <Panel title={t('bot_status')}>
      {bots === undefined ? (
        hasFailed ? (
          <p className={classes.unknown}>{UNKNOWN}</p>
        ) : (
          <RowSkeletons />
        )
      ) : bots.length === 0 ? (
        <EmptyState
          title={t('no_bots')}
          hint={hasWallets ? t('no_bots_hint') : t('no_bots_no_wallet')}
          action={
            hasWallets ? (
              <Button onClick={() => navigate('bots', 'create')}>{t('create_bot')}</Button>
            ) : undefined
          }
        />
      ) : (
        <ul className={classes.rows}>
          {bots.slice(0, SHOWN).map((bot) => (
            <Row key={bot.id} bot={bot} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Row({ bot }: { bot: BotSummary }) {
  const { t } = useTranslation();
  return (
    <li className={classes.row}>
      <div className={classes.rowText}>
        <div className={classes.name}>
          <span className={classes.nameText}>{bot.name}</span>
          <ChainTag chain={bot.chain} />
        </div>
        <p className={classes.detail}>{t(`action_label.${bot.action}`)}</p>
      </div>
      <ActiveBadge isActive={bot.isActive} />
    </li>
  );
}
