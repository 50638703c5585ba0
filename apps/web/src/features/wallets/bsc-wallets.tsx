import './locale.ts';
import { useDisclosure } from '@mantine/hooks';
import { useNavigation } from '../../lib/navigation.ts';
import { useBscWallets } from './use-bsc-wallets.ts';
import { WalletsPage } from './wallets-page.tsx';

/** The BSC wallets. */
export function BscWallets() {
  const { intent } = useNavigation();
  const adding = useDisclosure(intent === 'create');
  return <WalletsPage {...useBscWallets()} adding={adding} />;
}
