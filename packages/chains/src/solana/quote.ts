import { KervanError } from '@kervan/contract';
import type { Quote, SwapRequest } from '../port.ts';
import { wrappedSolMint } from './addresses.ts';
import type { JupiterClient, JupiterQuote } from './jupiter.ts';

/** Asks Jupiter for the best exact-input price between SOL and the token. */
export async function askQuote(
  jupiter: JupiterClient,
  request: SwapRequest,
  signal?: AbortSignal,
): Promise<JupiterQuote> {
  // Wrapping SOL is no trade.
  if (request.tokenAddress === wrappedSolMint) throw new KervanError('ROUTE_UNAVAILABLE');
  const [inputMint, outputMint] =
    request.action === 'buy'
      ? [wrappedSolMint, request.tokenAddress]
      : [request.tokenAddress, wrappedSolMint];
  return jupiter.quote(
    { inputMint, outputMint, amountUnits: request.amountInUnits, slippageBps: request.slippageBps },
    signal,
  );
}

/** Jupiter's quote in the port's terms. Its price impact is a fraction: "0.0123" is 123 bps. */
export function toQuote(quote: JupiterQuote): Quote {
  const impact = Number(quote.priceImpactPct ?? Number.NaN);
  return {
    amountInUnits: BigInt(quote.inAmount),
    expectedOutUnits: BigInt(quote.outAmount),
    minimumOutUnits: BigInt(quote.otherAmountThreshold),
    priceImpactBps: Number.isFinite(impact) ? Math.round(impact * 10_000) : null,
  };
}
