import { Button, Group, Text } from '@mantine/core';
import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Chain, Network } from '@kervan/contract';
import { useNetworkKinds } from '../lib/hooks.ts';
import { useRouteQuery } from '../lib/query.ts';
import { Dialog } from './dialog.tsx';

export interface ConfirmOptions {
  /** Names the object and what would be done to it. */
  title: string;
  /** What follows from it. */
  body: string;
  /** The verb on the button. */
  verb: string;
  isDanger?: boolean;
  /** Whose network is named; both chains' without it. */
  chain?: Chain;
  /** The chain's network that this is about, where that need not be the chosen one: a bot keeps its own. */
  network?: Network;
}

type Confirm = (options: ConfirmOptions) => Promise<boolean>;

const ConfirmContext = createContext<Confirm | undefined>(undefined);

/** Asks before what can't be undone: true only when the person chose the verb. */
export function useConfirm(): Confirm {
  const confirm = use(ConfirmContext);
  if (confirm === undefined) throw new Error('useConfirm needs a ConfirmProvider above it');
  return confirm;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [options, setOptions] = useState<ConfirmOptions>();
  const [isOpen, setOpen] = useState(false);
  const answer = useRef<(isConfirmed: boolean) => void>(undefined);

  const confirm = useCallback<Confirm>((asked) => {
    answer.current?.(false);
    setOptions(asked);
    setOpen(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }, []);

  function close(isConfirmed: boolean): void {
    answer.current?.(isConfirmed);
    answer.current = undefined;
    setOpen(false);
  }

  return (
    <ConfirmContext value={confirm}>
      {children}
      {options && <ConfirmDialog options={options} isOpen={isOpen} onClose={close} />}
    </ConfirmContext>
  );
}

interface ConfirmDialogProps {
  options: ConfirmOptions;
  isOpen: boolean;
  onClose: (isConfirmed: boolean) => void;
}

function ConfirmDialog({ options, isOpen, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation();
  const kinds = useNetworkKinds();
  const { data: known } = useRouteQuery('listNetworks', {});
  const kindOf = (chain: Chain, network: Network) =>
    known?.find((info) => info.chain === chain && info.network === network)?.kind;
  const chains: readonly Chain[] = options.chain ? [options.chain] : ['solana', 'bsc'];
  const networks = chains.flatMap((chain) => {
    const kind = options.network === undefined ? kinds[chain] : kindOf(chain, options.network);
    return kind === undefined ? [] : [`${t(`chain.${chain}`)}: ${t(`network.${kind}`)}`];
  });
  return (
    <Dialog isOpen={isOpen} onClose={() => onClose(false)} title={options.title} role="alertdialog">
      <Text>{options.body}</Text>
      {networks.length > 0 && (
        <Text c="dimmed" size="sm" mt="xs">
          {networks.join(' · ')}
        </Text>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" data-autofocus onClick={() => onClose(false)}>
          {t('action.cancel')}
        </Button>
        <Button color={options.isDanger ? 'danger' : 'accent'} onClick={() => onClose(true)}>
          {options.verb}
        </Button>
      </Group>
    </Dialog>
  );
}
