import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Settings } from '@kervan/contract';
import { errorText } from '../../lib/api-error.ts';
import { useLiveState } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { Panel } from '../../ui/panel.tsx';
import { useSolanaNode } from './use-solana-node.ts';
import classes from './settings.module.css';

type State = 'ok' | 'bad' | 'unknown';

/** Whether the server and each chain's node answer (spec §4: a blockhash shows that Solana's does). */
export function ConnectionPanel({ settings }: { settings: Settings }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const live = useLiveState();
  const solana = useSolanaNode();
  const networks = useRouteQuery('listNetworks', {}, { staleTime: 0 });
  const bsc = networks.data?.find((info) => info.chain === 'bsc' && info.network === settings.bsc.network);
  const solanaState: State = solana.isSuccess ? 'ok' : solana.isError ? 'bad' : 'unknown';
  const bscState: State = bsc === undefined ? 'unknown' : bsc.problem === null ? 'ok' : 'bad';
  return (
    <Panel
      title={t('connection')}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          loading={solana.isFetching || networks.isFetching}
          onClick={() => {
            void solana.refetch();
            void networks.refetch();
          }}
        >
          {t('check_again')}
        </Button>
      }
    >
      <ul className={classes.rows}>
        <Row name="Kervan" state={live.status === 'live' ? 'ok' : 'bad'} problem={null} />
        <Row
          name={`Solana · ${common(`network_name.${settings.solana.network}`)}`}
          state={solanaState}
          problem={solana.error ? errorText(solana.error, language) : null}
        />
        <Row
          name={`BSC · ${common(`network_name.${settings.bsc.network}`)}`}
          state={bscState}
          problem={bsc?.problem ?? null}
        />
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
