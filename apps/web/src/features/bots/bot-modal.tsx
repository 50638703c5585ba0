import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { BotForm } from './bot-form.tsx';
import type { BotCommands } from './use-bot-commands.ts';
import type { StoredWallet } from '../../lib/use-stored-wallets.ts';

interface BotModalProps {
  chain: Chain;
  /** What is open: the form of a new bot, or that of one to edit. */
  subject: 'new' | Bot | undefined;
  wallets: readonly StoredWallet[];
  commands: BotCommands;
  onClose: () => void;
}

export function BotModal({ chain, subject, wallets, commands, onClose }: BotModalProps) {
  const { t } = useTranslation('bots');
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false });
  const bot = subject === 'new' ? undefined : subject;
  return (
    <Modal
      opened={subject !== undefined}
      onClose={onClose}
      title={t(bot ? 'edit_title' : 'create_title')}
      size="lg"
      fullScreen={isPhone}
      // What was typed is not lost to a click beside the form.
      closeOnClickOutside={false}
    >
      {subject !== undefined && (
        <BotForm chain={chain} bot={bot} wallets={wallets} commands={commands} onDone={onClose} />
      )}
    </Modal>
  );
}
