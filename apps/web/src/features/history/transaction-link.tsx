import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trade } from '@kervan/contract';
import { explorerUrl } from '../../lib/explorer.ts';
import { shorten, UNKNOWN } from '../../lib/format.ts';
import { Address } from '../../ui/address.tsx';

/** A trade's transaction: to a public explorer, or to be copied where none knows it. */
export function TransactionLink({ trade }: { trade: Pick<Trade, 'chain' | 'network' | 'transaction_hash'> }) {
  const { t } = useTranslation('history');
  const { chain, network, transaction_hash: hash } = trade;
  if (hash === null) return UNKNOWN;
  const url = explorerUrl(chain, network, hash);
  if (url === undefined) return <Address value={hash} ends={[8, 8]} what={t('signature')} />;
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" translate="no">
      {shorten(hash, 8, 8)}
    </Anchor>
  );
}
