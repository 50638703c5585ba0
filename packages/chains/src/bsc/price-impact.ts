import type { BscContracts } from './contracts.ts';
import { aggregate, readAggregate } from './multicall.ts';
import { callOf, hexSchema } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';
import type { Offer, Trade, Venue } from './venue.ts';

/** A trade this much smaller hardly moves the price. */
const probeShare = 1_000n;
/** Of a smaller output the rounding would show as an impact. */
const leastOutput = 20_000n;

/** What every pool offers for a small part of the trade. */
export async function probePools(
  { rpc, contracts }: { readonly rpc: RpcClient; readonly contracts: BscContracts },
  venue: Venue,
  trade: Trade,
  signal?: AbortSignal,
): Promise<Offer[]> {
  const calls = venue.priceCalls({ ...trade, amountIn: probeOf(trade) });
  const [answer] = await rpc.readAll([callOf(aggregate(contracts.multicall3, calls))], signal);
  return answer?.ok ? venue.offers(readAggregate(hexSchema.parse(answer.result))) : [];
}

/**
 * Hundredths of a percent by which the trade is worse than its small part in the same pool: what it moves the price
 * itself, without the pool's fee. Null where that can't be told.
 */
export function priceImpactBps(trade: Trade, offer: Offer, probes: readonly Offer[]): number | null {
  const probe = probes.find(({ feeTier }) => feeTier === offer.feeTier);
  if (!probe || probe.amountOut < leastOutput) return null;
  const unmoved = probe.amountOut * trade.amountIn;
  const lost = unmoved - offer.amountOut * probeOf(trade);
  return lost > 0n ? Number((lost * 10_000n) / unmoved) : 0;
}

function probeOf({ amountIn }: Trade): bigint {
  return amountIn / probeShare > 0n ? amountIn / probeShare : 1n;
}
