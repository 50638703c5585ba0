import { Button } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigation } from '../../lib/navigation.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';

export function QuickActions({ hasWallets }: { hasWallets: boolean }) {
  const { t } = useTranslation('dashboard');
  const { navigate } = useNavigation();
  const hintId = useId();
  return (
    <Panel title={t('quick_actions')}>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => navigate('wallets', 'create')}>
          {t('add_wallet')}
        </Button>
        <Button
          variant="default"
          disabled={!hasWallets}
          aria-describedby={hasWallets ? undefined : hintId}
          onClick={() => navigate('bots', 'create')}
        >
          {t('create_bot')}
        </Button>
        <Button variant="default" onClick={() => navigate('bots')}>
          {t('view_activity')}
        </Button>
        {!hasWallets && (
          <p id={hintId} className={classes.hint}>
            {t('create_bot_hint')}
          </p>
        )}
      </div>
    </Panel>
  );
}
