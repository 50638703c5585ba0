import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { useLiveState } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Panel } from '../../ui/panel.tsx';
import { useBscNode, useSolanaNode } from './use-nodes.ts';
import classes from './settings.module.css';

type State = 'ok' | 'bad' | 'unknown';

/** Whether the server and each chain's node answer (spec §4: a blockhash shows that Solana's does). */
export function ConnectionPanel({ settings }: { settings: Settings }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const live = useLiveState();
  const solana = useSolanaNode();
  const bsc = useBscNode();
  const nodes = [
    { node: solana, name: `Solana · ${common(`network_name.${settings.solana.network}`)}` },
    { node: bsc, name: `BSC · ${common(`network_name.${settings.bsc.network}`)}` },
  ];
  return (
    <Panel
      title={t('connection')}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          loading={solana.isFetching || bsc.isFetching}
          onClick={() => {
            void solana.refetch();
            void bsc.refetch();
          }}
        >
          {t('check_again')}
        </Button>
      }
    >
      <ul className={classes.rows}>
        <Row name="Kervan" state={live.status === 'live' ? 'ok' : 'bad'} problem={null} />
        {nodes.map(({ node, name }) => (
          <Row
            key={name}
            name={name}
            state={node.isError ? 'bad' : node.isSuccess ? 'ok' : 'unknown'}
            problem={node.error ? errorText(node.error, language) : null}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ name, state, problem }: { name: string; state: State; problem: string | null }) {
  const { t } = useTranslation('settings');
  return (
    <li className={classes.row}>
      <span>{name}</span>
      <span className={classes.state} data-state={state}>
        {t(`connection_state.${state}`)}
      </span>
      {problem !== null && <span className={classes.problem}>{problem}</span>}
    </li>
  );
}
