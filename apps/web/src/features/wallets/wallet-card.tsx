import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconDroplet, IconHistory, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { formatDate, formatExact } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Amount } from '../../ui/amount.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DeletionFailed } from './deletion-failed.tsx';
import { deletionWarning } from './deletion-warning.ts';
import type { WalletView } from './wallet-view.ts';
import classes from './wallets.module.css';

interface WalletCardProps {
  chain: Chain;
  wallet: WalletView;
  onHistory?: () => void;
  /** Only where there is a faucet. */
  onFaucet?: () => void;
  onDelete: () => Promise<void>;
}

export function WalletCard({ chain, wallet, onHistory, onFaucet, onDelete }: WalletCardProps) {
  const { t } = useTranslation('wallets');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const confirm = useConfirm();
  const nameId = useId();
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { name, address, createdAt, balance } = wallet;
  const { symbol } = NATIVE[chain];

  async function askAndDelete(): Promise<void> {
    setFailure(undefined);
    const isConfirmed = await confirm({
      title: t('delete_title', { name }),
      body: t(deletionWarning(balance), { balance: formatExact(balance ?? '0', language), symbol }),
      verb: t('delete'),
      isDanger: true,
      chain,
    });
    if (!isConfirmed) return;
    setDeleting(true);
    try {
      await onDelete();
      // The button that had the focus is gone with its card.
      document.querySelector('h1')?.focus();
    } catch (error) {
      setFailure(error);
      setDeleting(false);
    }
  }

  return (
    <li aria-labelledby={nameId}>
      <Panel className={classes.card ?? ''}>
        <div className={classes.head}>
          <div className={classes.title}>
            <h2 id={nameId} className={classes.name} title={name}>
              {name}
            </h2>
            <p className={classes.created}>
              {t('created', { date: formatDate(createdAt, 'date', language) ?? common('unknown') })}
            </p>
          </div>
          <Tooltip label={t('delete_label', { name })}>
            <ActionIcon
              variant="subtle"
              className={classes.delete}
              aria-label={t('delete_label', { name })}
              loading={isDeleting}
              onClick={() => void askAndDelete()}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Tooltip>
        </div>
        <div className={classes.figure}>
          <Amount value={balance} symbol={symbol} />
        </div>
        <Address value={address} ends={[10, 8]} what={t('address_of', { name })} />
        {(onHistory ?? onFaucet) && (
          <div className={classes.actions}>
            {onHistory && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconHistory size={16} />}
                aria-label={t('history_of', { name })}
                onClick={onHistory}
              >
                {t('history')}
              </Button>
            )}
            {onFaucet && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconDroplet size={16} />}
                aria-label={t('faucet_for', { name })}
                onClick={onFaucet}
              >
                {t('faucet')}
              </Button>
            )}
          </div>
        )}
        {failure !== undefined && <DeletionFailed failure={failure} onClose={() => setFailure(undefined)} />}
      </Panel>
    </li>
  );
}
