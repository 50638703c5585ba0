import { Anchor } from '@mantine/core';
import type { Chain, Network } from '@kervan/contract';
import { explorerUrl } from '../lib/explorer.ts';
import { Address } from './address.tsx';

interface TransactionHashProps {
  chain: Chain;
  network: Network;
  hash: string;
  /** What it is, for the copy button's label. */
  what: string;
  /** The words of the link to a public explorer. */
  explorer: string;
  className?: string | undefined;
}

/** A transaction to be copied, and its link where a public explorer knows it. */
export function TransactionHash({ chain, network, hash, what, explorer, className }: TransactionHashProps) {
  const url = explorerUrl(chain, network, hash);
  return (
    <span className={className}>
      <Address value={hash} ends={[8, 8]} what={what} />
      {url !== undefined && (
        <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
          {explorer}
        </Anchor>
      )}
    </span>
  );
}
