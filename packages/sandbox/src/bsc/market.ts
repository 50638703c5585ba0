import { parseEther } from 'viem';

/** A pool's BNB side in wei; the token side follows from the token's price. `fee` is in hundredths of a bip. */
export interface V3PoolPlan {
  fee: 100 | 500 | 2500 | 10_000;
  bnb: bigint;
}

export interface TokenPlan {
  symbol: string;
  name: string;
  decimals: number;
  taxBps: number;
  /** Whole tokens for one BNB. */
  tokensPerBnb: bigint;
  v2Bnb: bigint;
  v3: readonly V3PoolPlan[];
}

/**
 * The tokens and pools of a new sandbox chain. Pools are deep, so that thousands of bots can trade without
 * running the price away. Where a token has several V3 tiers the cheap one is the shallower one: small trades do
 * best there and large ones in the deeper tier, so that choosing a tier by quote is put to the test. V3 takes no
 * token with a transfer tax.
 */
export const market: readonly TokenPlan[] = [
  {
    symbol: 'sUSD',
    name: 'Sandbox Dollar',
    decimals: 18,
    taxBps: 0,
    tokensPerBnb: 600n,
    v2Bnb: parseEther('50000'),
    v3: [
      { fee: 100, bnb: parseEther('20000') },
      { fee: 500, bnb: parseEther('80000') },
    ],
  },
  {
    symbol: 'sCAKE',
    name: 'Sandbox Cake',
    decimals: 18,
    taxBps: 0,
    tokensPerBnb: 240n,
    v2Bnb: parseEther('40000'),
    v3: [
      { fee: 500, bnb: parseEther('20000') },
      { fee: 2500, bnb: parseEther('60000') },
      { fee: 10_000, bnb: parseEther('20000') },
    ],
  },
  {
    symbol: 'sDOGE',
    name: 'Sandbox Doge',
    decimals: 8,
    taxBps: 0,
    tokensPerBnb: 6000n,
    v2Bnb: parseEther('30000'),
    v3: [
      { fee: 2500, bnb: parseEther('20000') },
      { fee: 10_000, bnb: parseEther('30000') },
    ],
  },
  {
    symbol: 'sGEM',
    name: 'Sandbox Gem',
    decimals: 18,
    taxBps: 0,
    tokensPerBnb: 1_000_000n,
    v2Bnb: parseEther('20000'),
    v3: [{ fee: 10_000, bnb: parseEther('20000') }],
  },
  {
    symbol: 'sTAX',
    name: 'Sandbox Taxed Token',
    decimals: 18,
    taxBps: 500,
    tokensPerBnb: 20_000n,
    v2Bnb: parseEther('30000'),
    v3: [],
  },
];
