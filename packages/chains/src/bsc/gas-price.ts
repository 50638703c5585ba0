import { quantitySchema } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';

export type GasTier = 'standard' | 'fast' | 'instant';

export interface GasPolicy {
  readonly floorWei: bigint;
  readonly capWei: bigint;
  /** How much above the node's price: standard as it is, fast 10 % and instant 25 % more. */
  readonly tier?: GasTier;
  /** Pays this instead of the node's price, within floor and cap. */
  readonly customWei?: bigint;
}

const tierPercent: Record<GasTier, bigint> = { standard: 100n, fast: 110n, instant: 125n };
const freshMs = 3_000;
const usableMs = 30_000;

/** The legacy gas price to pay now, in wei. */
export interface GasPriceSource {
  current(signal?: AbortSignal): Promise<bigint>;
}

/**
 * Asks the node for its price and keeps it: older than 3 s it is refreshed behind the caller's back, older
 * than 30 s the caller waits. Floor, because nodes with base fee 0 answer 0; cap, against a lying node.
 */
export function createGasPriceSource(options: {
  readonly rpc: RpcClient;
  readonly policy: GasPolicy;
  readonly now: () => number;
}): GasPriceSource {
  const { rpc, policy, now } = options;
  let known: { readonly wei: bigint; readonly at: number } | undefined;
  let refreshing: Promise<bigint> | undefined;

  async function ask(): Promise<bigint> {
    try {
      const wei = quantitySchema.parse(await rpc.read({ method: 'eth_gasPrice', params: [] }));
      known = { wei, at: now() };
      return wei;
    } finally {
      refreshing = undefined;
    }
  }

  return {
    async current(signal) {
      if (policy.customWei !== undefined) return priceWithin(policy, policy.customWei);
      const age = known ? now() - known.at : Infinity;
      if (age > freshMs) refreshing ??= ask();
      if (known && age <= usableMs) {
        // A failed refresh is tried again by the next caller.
        refreshing?.catch(() => undefined);
        return tierPrice(policy, known.wei);
      }
      const wei = await refreshing;
      signal?.throwIfAborted();
      return tierPrice(policy, wei ?? policy.floorWei);
    },
  };
}

/** The node's price with the tier's extra, within floor and cap. */
export function tierPrice(policy: GasPolicy, nodeWei: bigint): bigint {
  return priceWithin(policy, (nodeWei * tierPercent[policy.tier ?? 'standard'] + 99n) / 100n);
}

function priceWithin(policy: GasPolicy, wei: bigint): bigint {
  if (wei < policy.floorWei) return policy.floorWei;
  return wei > policy.capWei ? policy.capWei : wei;
}
