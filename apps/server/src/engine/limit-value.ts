import type { ChainPort, SwapRequest } from '@kervan/chains';
import { hasLimits, type TradeLimits } from '@kervan/domain';

/**
 * What a trade weighs against native-value limits, in native base units: what a buy spends, or what a sell is
 * quoted to bring. The quote is asked for only where a limit is set.
 */
export async function limitValue(
  port: Pick<ChainPort, 'quote'>,
  request: SwapRequest,
  limits: TradeLimits,
  signal?: AbortSignal,
): Promise<bigint> {
  if (request.action === 'buy') return request.amountInUnits;
  if (!hasLimits(limits)) return 0n;
  const { expectedOutUnits } = await port.quote(request, signal);
  return expectedOutUnits;
}
