import { Modal, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useServerEvent } from '../../lib/hooks.ts';
import { useRouteQuery } from '../../lib/query.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { TradeDetails } from './trade-details.tsx';

interface TradeModalProps {
  /** Open while there is one. */
  tradeId: string | undefined;
  onClose: () => void;
}

export function TradeModal({ tradeId, onClose }: TradeModalProps) {
  const { t } = useTranslation('history');
  const isPhone = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={tradeId !== undefined}
      onClose={onClose}
      title={t('detail_title')}
      size="xl"
      fullScreen={isPhone}
    >
      {tradeId !== undefined && <Loaded tradeId={tradeId} />}
    </Modal>
  );
}

function Loaded({ tradeId }: { tradeId: string }) {
  const query = useRouteQuery('getTrade', { params: { id: tradeId } }, { staleTime: 0 });
  // A trade that is still under way goes on while it is looked at.
  useServerEvent('trade:updated', (trade) => {
    if (trade.id === tradeId) void query.refetch();
  });
  return (
    <QueryView query={query} skeleton={<Skeleton height={360} />}>
      {(trade) => <TradeDetails trade={trade} />}
    </QueryView>
  );
}
