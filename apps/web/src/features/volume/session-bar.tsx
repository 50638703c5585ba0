import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain, type VolumeStats } from '@kervan/contract';
import { formatCount } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Amount } from '../../ui/amount.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './volume.module.css';

interface SessionBarProps {
  chain: Chain;
  stats: VolumeStats;
  onStop: () => Promise<void>;
}

/** Which session it is, how far, and the way to stop it. */
export function SessionBar({ chain, stats, onStop }: SessionBarProps) {
  const { t } = useTranslation('volume');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const confirm = useConfirm();
  const [isStopping, setStopping] = useState(false);
  const { sessionId, network, tokenSymbol, tokenAddress, currentCycle, totalProfit, isRunning, problem } =
    stats;

  async function askAndStop(): Promise<void> {
    const isConfirmed = await confirm({
      title: t('stop_title'),
      body: t('stop_body', { count: stats.activeWallets }),
      verb: t('stop'),
      chain,
      ...(network && { network }),
    });
    if (!isConfirmed) return;
    setStopping(true);
    await onStop();
    setStopping(false);
  }

  return (
    <Panel className={classes.section ?? ''}>
      <div className={classes.bar}>
        <dl className={classes.facts}>
          <Fact label={t('session')}>
            <code translate="no" title={sessionId ?? undefined}>
              {sessionId?.slice(0, 8)}
            </code>
          </Fact>
          <Fact label={t('cycle')}>{formatCount(currentCycle, language)}</Fact>
          <Fact label={t('token')}>
            <span translate="no" title={tokenAddress ?? undefined}>
              {tokenSymbol ?? tokenAddress}
            </span>
          </Fact>
          <Fact label={t('network')}>{network && common(`network_name.${network}`)}</Fact>
          <Fact label={t('so_far')}>
            <Amount value={totalProfit} digits={6} symbol={NATIVE[chain].symbol} isSigned />
          </Fact>
        </dl>
        {isRunning && (
          <Button color="danger" loading={isStopping} onClick={() => void askAndStop()}>
            {t('stop')}
          </Button>
        )}
      </div>
      {!isRunning && <p className={classes.hint}>{t('draining_hint')}</p>}
      {problem && (
        <p className={classes.waiting} role="status">
          {t('waits', { reason: problem.message })}
        </p>
      )}
    </Panel>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
