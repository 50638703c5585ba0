import type { Settings } from '@kervan/contract';

const EXPLORER = 'https://explorer.solana.com/tx';

/** Where a public explorer shows a transaction; undefined for the sandbox, which none of them knows. */
export function explorerUrl(network: Settings['solana']['network'], signature: string): string | undefined {
  switch (network) {
    case 'sandbox':
      return undefined;
    case 'devnet':
      return `${EXPLORER}/${signature}?cluster=devnet`;
    case 'mainnet':
      return `${EXPLORER}/${signature}`;
  }
}
