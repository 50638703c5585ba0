import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Settings } from '@kervan/contract';
import { useConfirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Select } from '../../ui/select.tsx';
import { FailureNote, useFieldFailure } from './failure-note.tsx';
import { useConfirmNetwork } from './network-change.ts';
import { SaveButton } from './save-button.tsx';
import classes from './settings.module.css';
import { useSaving } from './use-saving.ts';

const NETWORKS = ['sandbox', 'devnet', 'mainnet'] as const satisfies readonly Settings['solana']['network'][];

/** Solana's network, and the key of the provider whose nodes are asked. */
export function SolanaPanel({ solana }: { solana: Settings['solana'] }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const confirm = useConfirm();
  const confirmNetwork = useConfirmNetwork('solana');
  const { state, failure, save, forgetFailure } = useSaving();
  // Undefined is what is saved.
  const [chosen, choose] = useState<Settings['solana']['network']>();
  const network = chosen ?? solana.network;
  const [key, setKey] = useState('');
  const keyFailure = useFieldFailure(failure, 'solana.providerKey', t('key'));
  const isChanged = network !== solana.network || key.trim() !== '';

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (network !== solana.network && !(await confirmNetwork(network))) return;
    const providerKey = key.trim();
    // Once it is on its way, the page has no more use for it.
    setKey('');
    const isSaved = await save({
      solana: {
        ...(network !== solana.network && { network }),
        ...(providerKey !== '' && { providerKey }),
      },
    });
    if (isSaved) choose(undefined);
  }

  async function removeKey(): Promise<void> {
    const isConfirmed = await confirm({
      title: t('key_remove_title'),
      body: t('key_remove_body'),
      verb: t('key_remove'),
      isDanger: true,
      chain: 'solana',
    });
    if (isConfirmed) await save({ solana: { providerKey: null } });
  }

  return (
    <Panel title="Solana">
      <form noValidate onSubmit={(event) => void submit(event)} aria-label="Solana">
        <Stack gap="sm">
          <Select
            label={t('network')}
            value={network}
            options={NETWORKS.map((value) => ({ value, label: common(`network_name.${value}`) }))}
            onChange={(value) => {
              choose(value);
              forgetFailure();
            }}
          />
          <PasswordInput
            label={t('key')}
            description={
              solana.providerKey === null ? t('key_none') : t('key_stored', { masked: solana.providerKey })
            }
            error={keyFailure}
            value={key}
            onChange={(event) => {
              setKey(event.currentTarget.value);
              forgetFailure();
            }}
            autoComplete="off"
            spellCheck={false}
            visibilityToggleButtonProps={{ 'aria-label': t('show_key'), tabIndex: 0 }}
          />
          <p className={classes.hint}>{t('network_hint')}</p>
          {keyFailure === undefined && <FailureNote failure={failure} />}
          <Group gap="xs">
            <SaveButton state={state} isDisabled={state === 'idle' && !isChanged} />
            {solana.providerKey !== null && (
              <Button variant="default" onClick={() => void removeKey()}>
                {t('key_remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
