import { Modal, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteQuery } from '../../lib/query.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TransactionDetail } from './transaction-detail.tsx';

interface TransactionModalProps {
  walletId: string;
  /** Open while there is one. */
  signature: string | undefined;
  onClose: () => void;
}

/** What an explorer shows elsewhere: the sandbox has none. */
export function TransactionModal({ walletId, signature, onClose }: TransactionModalProps) {
  const { t } = useTranslation('wallets');
  return (
    <Modal opened={signature !== undefined} onClose={onClose} title={t('detail_title')} size="lg">
      {signature !== undefined && <Loaded walletId={walletId} signature={signature} />}
    </Modal>
  );
}

function Loaded({ walletId, signature }: { walletId: string; signature: string }) {
  const query = useRouteQuery('walletTransaction', { params: { id: walletId, signature } });
  return (
    <QueryView query={query} skeleton={<Skeleton height={240} />}>
      {(detail) => <TransactionDetail detail={detail} />}
    </QueryView>
  );
}
