import type { Chain, Network } from '@kervan/contract';

const SITES: Readonly<Record<Chain, Partial<Record<Network, (txId: string) => string>>>> = {
  solana: {
    devnet: (txId) => `https://explorer.solana.com/tx/${txId}?cluster=devnet`,
    mainnet: (txId) => `https://explorer.solana.com/tx/${txId}`,
  },
  bsc: {
    testnet: (txId) => `https://testnet.bscscan.com/tx/${txId}`,
    mainnet: (txId) => `https://bscscan.com/tx/${txId}`,
  },
};

/** Where a public explorer shows a transaction; undefined for the sandbox, which none of them knows. */
export function explorerUrl(chain: Chain, network: Network, txId: string): string | undefined {
  return SITES[chain][network]?.(txId);
}
