import { KervanError } from '@kervan/contract';
import { minimumAfterSlippage } from '@kervan/domain';
import type { SwapRequest } from '../port.ts';
import type { JupiterClient, JupiterQuote } from './jupiter.ts';
import { askQuote } from './quote.ts';

/**
 * Quotes of swaps that are executed one after the other. Each moves the price for those behind it, and the slippage is
 * there for what others do: so a swap behind another of the same token and direction is quoted what it adds, the quote
 * of all amounts up to it less that of all before it. Each promise is that swap's own.
 */
export function askBundleQuotes(
  jupiter: JupiterClient,
  requests: readonly SwapRequest[],
  signal?: AbortSignal,
): Promise<JupiterQuote>[] {
  const before = new Map<string, { units: bigint; quote: Promise<JupiterQuote> }>();
  // Wallets often hold the same: what was asked for one is not asked again for the next.
  const asked = new Map<string, Promise<JupiterQuote>>();
  function ask(request: SwapRequest): Promise<JupiterQuote> {
    const key = `${request.action} ${request.tokenAddress} ${request.slippageBps} ${request.amountInUnits}`;
    const quote = asked.get(key) ?? askQuote(jupiter, request, signal);
    asked.set(key, quote);
    return quote;
  }

  return requests.map((request) => {
    const market = `${request.action} ${request.tokenAddress}`;
    const first = before.get(market);
    const own = ask(request);
    const units = (first?.units ?? 0n) + request.amountInUnits;
    const all = first ? ask({ ...request, amountInUnits: units }) : own;
    before.set(market, { units, quote: all });
    // Awaited further down, which may not come to it.
    all.catch(() => undefined);
    return first ? added(request, own, all, first.quote) : own;
  });
}

async function added(
  { slippageBps }: SwapRequest,
  own: Promise<JupiterQuote>,
  all: Promise<JupiterQuote>,
  before: Promise<JupiterQuote>,
): Promise<JupiterQuote> {
  const [quote, upTo, upToBefore] = await Promise.all([own, all, before]);
  const difference = BigInt(upTo.outAmount) - BigInt(upToBefore.outAmount);
  // Another route may serve a larger amount better: nothing is expected beyond what the swap brings alone.
  const outUnits = difference < BigInt(quote.outAmount) ? difference : BigInt(quote.outAmount);
  if (outUnits <= 0n) throw new KervanError('ROUTE_UNAVAILABLE');
  return {
    ...quote,
    outAmount: String(outUnits),
    otherAmountThreshold: String(minimumAfterSlippage(outUnits, slippageBps)),
  };
}
