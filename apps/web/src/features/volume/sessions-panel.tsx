import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type VolumeSession } from '@kervan/contract';
import { Amount } from '../../ui/amount.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { SessionAccount } from './session-account.tsx';
import { useVolumeSessions } from './use-volume.ts';
import classes from './volume.module.css';

interface SessionsPanelProps {
  chain: Chain;
  /** Not while another session is under way. */
  canDrain: boolean;
  onDrain: (id: string) => Promise<void>;
}

/** The sessions that have ended: what each came to, and what is left somewhere. */
export function SessionsPanel({ chain, canDrain, onDrain }: SessionsPanelProps) {
  const { t } = useTranslation('volume');
  const query = useVolumeSessions(chain);
  const ended = query.data?.filter(({ state }) => state === 'ended');
  if (ended?.length === 0) return null;
  return (
    <Panel title={t('sessions')} className={classes.section ?? ''}>
      <QueryView query={{ ...query, data: ended }} skeleton={<Skeleton height={80} />}>
        {(sessions) => (
          <ul className={classes.rows}>
            {sessions.map((session) => (
              <SessionRow
                key={session.sessionId}
                chain={chain}
                session={session}
                canDrain={canDrain}
                onDrain={onDrain}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
}

interface SessionRowProps extends SessionsPanelProps {
  session: VolumeSession;
}

function SessionRow({ chain, session, canDrain, onDrain }: SessionRowProps) {
  const { t } = useTranslation('volume');
  const { t: common } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isDraining, setDraining] = useState(false);
  const { sessionId, network, startTime, totalTrades, totalProfit, strandedWallets, stopReason } = session;
  const name = sessionId.slice(0, 8);

  async function drain(): Promise<void> {
    setDraining(true);
    await onDrain(sessionId);
    setDraining(false);
  }

  return (
    <li className={classes.session}>
      <div className={classes.row}>
        <span className={classes.what}>
          <code translate="no">{name}</code> <Time value={new Date(startTime).toISOString()} />
        </span>
        <span>{common(`network_name.${network}`)}</span>
        <span>{t('trade_count', { count: totalTrades })}</span>
        <Amount value={totalProfit} digits={6} symbol={NATIVE[chain].symbol} isSigned />
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'hide_account_of' : 'account_of', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'hide_account' : 'account')}
        </Button>
      </div>
      {stopReason && <p className={classes.hint}>{t('stopped_itself', { reason: stopReason.message })}</p>}
      {strandedWallets > 0 && (
        <p className={classes.waiting}>
          {t('stranded', { count: strandedWallets })}{' '}
          <Button
            size="compact-sm"
            variant="default"
            disabled={!canDrain}
            loading={isDraining}
            onClick={() => void drain()}
          >
            {t('drain_again')}
          </Button>
        </p>
      )}
      {isOpen && <SessionAccount chain={chain} id={sessionId} tokenSymbol={session.tokenSymbol ?? ''} />}
    </li>
  );
}
