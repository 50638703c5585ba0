import { hopVaults, maxSwapAmount, swapFee, swapOutput, tokenAmount, type Hop } from './amm.ts';
import type { Runtime } from './runtime.ts';

export interface QuotedLeg {
  hop: Hop;
  inAmount: bigint;
  outAmount: bigint;
  feeAmount: bigint;
}

export interface RouteQuote {
  legs: QuotedLeg[];
  outAmount: bigint;
  /** Loss against the pools' spot price, fees aside, as a decimal fraction: "0.0125" is 1.25 %. */
  priceImpact: string;
}

const fractionDigits = 12n;

/** What `amountIn` base units yield over the hops at the vaults' present balances; undefined if nothing. */
export function quoteRoute(runtime: Runtime, hops: readonly Hop[], amountIn: bigint): RouteQuote | undefined {
  const legs: QuotedLeg[] = [];
  let amount = amountIn;
  // Share of the spot output that is left, scaled.
  const one = 10n ** fractionDigits;
  let left = one;
  for (const hop of hops) {
    const { vaultIn, vaultOut } = hopVaults(hop);
    const [reserveIn, reserveOut] = [vaultIn, vaultOut].map((vault) => {
      const account = runtime.account(vault);
      return account ? tokenAmount(account.data) : 0n;
    });
    if (!reserveIn || !reserveOut) return undefined;
    const outAmount = swapOutput(reserveIn, reserveOut, amount);
    if (outAmount === 0n || amount > maxSwapAmount || outAmount > maxSwapAmount) return undefined;
    const feeAmount = swapFee(amount);
    legs.push({ hop, inAmount: amount, outAmount, feeAmount });
    // out / (net * y / x) = x / (x + net)
    left = (left * reserveIn) / (reserveIn + amount - feeAmount);
    amount = outAmount;
  }
  const impact = (one - left).toString().padStart(Number(fractionDigits) + 1, '0');
  const point = impact.length - Number(fractionDigits);
  return { legs, outAmount: amount, priceImpact: `${impact.slice(0, point)}.${impact.slice(point)}` };
}
