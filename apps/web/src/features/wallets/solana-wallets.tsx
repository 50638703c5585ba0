import './locale.ts';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigation } from '../../lib/navigation.ts';
import { useSolanaWallets } from './use-solana-wallets.ts';
import { WalletHistory } from './wallet-history.tsx';
import type { WalletView } from './wallet-view.ts';
import { WalletsPage } from './wallets-page.tsx';

/** The Solana wallets, and behind each of them its history. */
export function SolanaWallets() {
  const { intent } = useNavigation();
  const adding = useDisclosure(intent === 'create');
  const [shown, setShown] = useState<WalletView>();
  const wallets = useSolanaWallets();
  if (shown) return <WalletHistory wallet={shown} onBack={() => setShown(undefined)} />;
  return <WalletsPage {...wallets} adding={adding} onHistory={setShown} />;
}
