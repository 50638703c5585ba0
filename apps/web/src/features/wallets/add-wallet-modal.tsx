import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { AddWalletForm } from './add-wallet-form.tsx';
import type { NewWallet } from './wallet-view.ts';

interface AddWalletModalProps {
  chain: Chain;
  isOpen: boolean;
  onClose: () => void;
  onCreate: (wallet: NewWallet) => Promise<void>;
}

/** Closing it forgets the form, and with it a key that was typed. */
export function AddWalletModal({ chain, isOpen, onClose, onCreate }: AddWalletModalProps) {
  const { t } = useTranslation('wallets');
  return (
    <Modal opened={isOpen} onClose={onClose} title={t(`add_title.${chain}`)}>
      <AddWalletForm chain={chain} onCreate={onCreate} />
    </Modal>
  );
}
