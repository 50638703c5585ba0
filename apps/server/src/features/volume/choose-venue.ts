import { KervanError, type DexVersion } from '@kervan/contract';
import type { ChainPort, Quote, SwapRequest } from '@kervan/chains';
import { typedUnits } from './typed-units.ts';

/**
 * Where the session trades: on BSC in the version of the exchange that gives more for the smallest funding. Throws
 * ROUTE_UNAVAILABLE and the like where the token can't be bought at all, before anything is made for it.
 */
export async function chooseVenue(
  port: Pick<ChainPort, 'chain' | 'quote'>,
  tokenAddress: string,
  owner: string,
  { minAmount, slippageBps }: { readonly minAmount: number; readonly slippageBps: number },
): Promise<DexVersion | null> {
  const request: SwapRequest = {
    owner,
    action: 'buy',
    tokenAddress,
    amountInUnits: typedUnits(minAmount, port.chain),
    slippageBps,
  };
  if (port.chain === 'solana') {
    await port.quote(request);
    return null;
  }
  const [v2, v3] = await Promise.all([
    quoteOrRefusal(port, { ...request, dexVersion: 'v2' }),
    quoteOrRefusal(port, { ...request, dexVersion: 'v3' }),
  ]);
  if (!(v2 instanceof KervanError) && !(v3 instanceof KervanError))
    return v3.expectedOutUnits > v2.expectedOutUnits ? 'v3' : 'v2';
  if (!(v2 instanceof KervanError)) return 'v2';
  if (!(v3 instanceof KervanError)) return 'v3';
  throw v2;
}

async function quoteOrRefusal(
  port: Pick<ChainPort, 'quote'>,
  request: SwapRequest,
): Promise<Quote | KervanError> {
  try {
    return await port.quote(request);
  } catch (error) {
    if (error instanceof KervanError) return error;
    throw error;
  }
}
