import type { Chain, Network } from '@kervan/contract';
import type { SandboxClient } from './sandbox-client.ts';

/** A token that is taken for one US dollar. */
export interface Stablecoin {
  readonly address: string;
  readonly decimals: number;
}

/** Circle's USDC on Solana and Tether's BSC-USD. Test networks have none: their coins are worth nothing. */
const LIVE: Readonly<Record<Chain, Stablecoin>> = {
  solana: { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  bsc: { address: '0x55d398326f99059fF775485246999027B3197955', decimals: 18 },
};

/** The sandbox's stand-ins. */
const SANDBOX_SYMBOLS: Readonly<Record<Chain, string>> = { solana: 'USDC', bsc: 'sUSD' };

/** What prices on a network are measured in; undefined where nothing there is worth money. */
export async function findStablecoin(
  chain: Chain,
  network: Network,
  sandbox: SandboxClient | undefined,
): Promise<Stablecoin | undefined> {
  if (network === 'mainnet') return LIVE[chain];
  if (network !== 'sandbox' || sandbox === undefined) return undefined;
  const { tokens } = chain === 'solana' ? await sandbox.solana() : await sandbox.bsc();
  return tokens.find(({ symbol }) => symbol === SANDBOX_SYMBOLS[chain]);
}
