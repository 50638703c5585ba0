import { address } from '@solana/kit';

/** Solana's wrapped SOL. */
export const wrappedSolMint = address('So11111111111111111111111111111111111111112');

export interface SandboxToken {
  address: string;
  symbol: string;
  name: string;
  decimals: number;
}

/** A token made at genesis and its pool against SOL, in whole units. */
export interface TokenPlan {
  symbol: string;
  name: string;
  decimals: number;
  poolSol: bigint;
  poolTokens: bigint;
  /** Its issuer can freeze accounts, which a careful client warns about. */
  isFreezable?: boolean;
}

/**
 * Stand-ins for the popular tokens and the sandbox's own. A deep pool holds 50,000 SOL, so that
 * thousands of bots hardly move it; the shallow ones show price impact. One SOL is 150 USDC at first.
 */
export const tokenPlans: readonly TokenPlan[] = [
  { symbol: 'USDC', name: 'USD Coin (sandbox)', decimals: 6, poolSol: 50_000n, poolTokens: 7_500_000n },
  { symbol: 'USDT', name: 'Tether USD (sandbox)', decimals: 6, poolSol: 50_000n, poolTokens: 7_500_000n },
  {
    symbol: 'mSOL',
    name: 'Marinade Staked SOL (sandbox)',
    decimals: 9,
    poolSol: 50_000n,
    poolTokens: 39_000n,
  },
  {
    symbol: 'JitoSOL',
    name: 'Jito Staked SOL (sandbox)',
    decimals: 9,
    poolSol: 50_000n,
    poolTokens: 41_500n,
  },
  { symbol: 'BONK', name: 'Bonk (sandbox)', decimals: 5, poolSol: 50_000n, poolTokens: 375_000_000_000n },
  { symbol: 'KRVN', name: 'Kervan', decimals: 9, poolSol: 50_000n, poolTokens: 50_000_000n },
  { symbol: 'IPEK', name: 'Ipek', decimals: 6, poolSol: 50_000n, poolTokens: 2_000_000n },
  { symbol: 'SAFRAN', name: 'Safran', decimals: 6, poolSol: 1_000n, poolTokens: 1_000_000n },
  { symbol: 'AYAZ', name: 'Ayaz', decimals: 9, poolSol: 5_000n, poolTokens: 500_000_000n, isFreezable: true },
];
