import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Chain } from '@kervan/contract';
import { FaucetForm } from './faucet-form.tsx';
import type { WalletView } from './wallet-view.ts';

interface FaucetModalProps {
  chain: Chain;
  /** Open while there is one. */
  wallet: WalletView | undefined;
  onClose: () => void;
  onGranted: () => Promise<void>;
}

export function FaucetModal({ chain, wallet, onClose, onGranted }: FaucetModalProps) {
  const { t } = useTranslation('wallets');
  return (
    <Modal
      opened={wallet !== undefined}
      onClose={onClose}
      title={wallet && t('faucet_title', { name: wallet.name })}
    >
      {wallet && <FaucetForm chain={chain} wallet={wallet} onGranted={onGranted} />}
    </Modal>
  );
}
