import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BSC_CHAIN_IDS, type Settings } from '@kervan/contract';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { FailureNote, useFieldFailure } from './failure-note.tsx';
import { useConfirmNetwork } from './network-change.ts';
import { SaveButton } from './save-button.tsx';
import classes from './settings.module.css';
import { useSaving } from './use-saving.ts';

const NETWORKS = ['sandbox', 'testnet', 'mainnet'] as const satisfies readonly Settings['bsc']['network'][];

/** BSC's network by its chain id, and the operator's own node. */
export function BscPanel({ bsc }: { bsc: Settings['bsc'] }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const confirmNetwork = useConfirmNetwork('bsc');
  const { state, failure, save, forgetFailure } = useSaving();
  // Undefined is what is saved.
  const [chosen, choose] = useState<Settings['bsc']['network']>();
  const network = chosen ?? bsc.network;
  const [rpcUrl, setRpcUrl] = useState('');
  const rpcFailure = useFieldFailure(failure, 'bsc.rpcUrl', t('rpc_url'));
  const isChanged = network !== bsc.network || rpcUrl.trim() !== '';

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (network !== bsc.network && !(await confirmNetwork(network))) return;
    const url = rpcUrl.trim();
    const isSaved = await save({
      bsc: { ...(network !== bsc.network && { network }), ...(url !== '' && { rpcUrl: url }) },
    });
    if (!isSaved) return;
    choose(undefined);
    setRpcUrl('');
  }

  function rpcText(): string {
    if (network === 'sandbox') return t('rpc_sandbox');
    if (network !== bsc.network || bsc.rpcUrl === null) return t('rpc_none');
    return t('rpc_stored', { masked: bsc.rpcUrl });
  }

  return (
    <Panel title="BSC">
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="BSC">
        <Stack gap="sm">
          <Select
            label={t('chain_id')}
            value={network}
            options={NETWORKS.map((value) => ({
              value,
              label: `${common(`network_name.${value}`)} (${BSC_CHAIN_IDS[value]})`,
            }))}
            onChange={(value) => {
              choose(value);
              forgetFailure();
            }}
          />
          <TextInput
            label={t('rpc_url')}
            description={rpcText()}
            error={rpcFailure}
            placeholder="https://bsc-dataseed.bnbchain.org"
            value={rpcUrl}
            onChange={(event) => {
              setRpcUrl(event.currentTarget.value);
              forgetFailure();
            }}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            translate="no"
          />
          <p className={classes.hint}>{t('rpc_hint')}</p>
          {rpcFailure === undefined && <FailureNote failure={failure} />}
          <Group gap="xs">
            <SaveButton state={state} isDisabled={state === 'idle' && !isChanged} />
            {bsc.rpcUrl !== null && (
              <Button variant="default" onClick={() => void save({ bsc: { rpcUrl: null } })}>
                {t('rpc_remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
