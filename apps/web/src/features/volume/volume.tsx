import './locale.ts';
import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { FailureBox } from './failure-box.tsx';
import { RecentTrades } from './recent-trades.tsx';
import { RunningBadge } from './running-badge.tsx';
import { SessionBar } from './session-bar.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { StatCards } from './stat-cards.tsx';
import { TestNetworkBanner } from './test-network-banner.tsx';
import { isUnderWay, useVolumeCommands, useVolumeStats } from './use-volume.ts';
import { VolumeForm } from './volume-form.tsx';
import classes from './volume.module.css';
import { WalletGrid } from './wallet-grid.tsx';

/** What went wrong last, and with what. */
export interface Failure {
  readonly what: 'start' | 'stop' | 'drain';
  readonly error: unknown;
}

/** The volume maker of a chain: its form while nothing runs, else the session as it goes. */
export function Volume({ chain }: { chain: Chain }) {
  const { t } = useTranslation('volume');
  const query = useVolumeStats(chain);
  const commands = useVolumeCommands(chain);
  const [failure, setFailure] = useState<Failure>();
  const isActive = isUnderWay(query.data);

  /** Spec §4: a failure keeps the state; the old one is cleared when something new is tried. */
  async function attempt(what: Failure['what'], task: () => Promise<void>): Promise<void> {
    setFailure(undefined);
    try {
      await task();
    } catch (error) {
      setFailure({ what, error });
    }
  }

  return (
    <Page
      title={t(`title.${chain}`)}
      description={t('description')}
      actions={query.data && <RunningBadge state={isActive ? (query.data.state ?? null) : null} />}
    >
      <TestNetworkBanner chain={chain} />
      {failure && <FailureBox chain={chain} failure={failure} />}
      <QueryView query={query} skeleton={<Skeleton height={360} />}>
        {(stats) =>
          isActive ? (
            <>
              <SessionBar chain={chain} stats={stats} onStop={() => attempt('stop', () => commands.stop())} />
              <StatCards chain={chain} stats={stats} />
              <WalletGrid chain={chain} />
              <RecentTrades chain={chain} />
            </>
          ) : (
            <Panel className={classes.form ?? ''}>
              <VolumeForm chain={chain} onStart={(call) => attempt('start', () => commands.start(call))} />
            </Panel>
          )
        }
      </QueryView>
      <SessionsPanel
        chain={chain}
        canDrain={query.data !== undefined && !isActive}
        onDrain={(id) => attempt('drain', () => commands.drain(id))}
      />
    </Page>
  );
}
