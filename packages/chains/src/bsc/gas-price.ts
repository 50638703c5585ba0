import type { GasTier } from '@kervan/contract';
import type { GasChoice, GasPrices } from '../port.ts';
import { quantitySchema } from './rpc-calls.ts';
import type { RpcClient } from './rpc-client.ts';

export interface GasPolicy {
  readonly floorWei: bigint;
  readonly capWei: bigint;
}

/** How much above the node's price a tier pays. */
const tierPercent: Record<GasTier, bigint> = { standard: 100n, fast: 110n, instant: 125n };
const freshMs = 3_000;
const usableMs = 30_000;

/** The legacy gas prices to pay now, in wei. */
export interface GasPriceSource {
  /** What a transaction with this choice pays. A price that a person chose is paid as it is. */
  priceFor(choice: GasChoice, signal?: AbortSignal): Promise<bigint>;
  prices(signal?: AbortSignal): Promise<GasPrices>;
}

/**
 * Asks the node for its price and keeps it: older than 3 s it is refreshed behind the caller's back, older
 * than 30 s the caller waits.
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

  async function nodePrice(signal?: AbortSignal): Promise<bigint> {
    const age = known ? now() - known.at : Infinity;
    if (age > freshMs) refreshing ??= ask();
    if (known && age <= usableMs) {
      // A failed refresh is tried again by the next caller.
      refreshing?.catch(() => undefined);
      return known.wei;
    }
    const wei = await refreshing;
    signal?.throwIfAborted();
    return wei ?? policy.floorWei;
  }

  return {
    async priceFor(choice, signal) {
      if (typeof choice === 'bigint') return choice;
      return tierPrice(policy, await nodePrice(signal), choice);
    },
    async prices(signal) {
      const wei = await nodePrice(signal);
      return {
        standard: tierPrice(policy, wei, 'standard'),
        fast: tierPrice(policy, wei, 'fast'),
        instant: tierPrice(policy, wei, 'instant'),
        current: wei,
      };
    },
  };
}

/** The node's price, at least the floor (nodes with base fee 0 answer 0), with the tier's extra, at most the cap. */
export function tierPrice({ floorWei, capWei }: GasPolicy, nodeWei: bigint, tier: GasTier): bigint {
  const base = nodeWei < floorWei ? floorWei : nodeWei;
  const price = (base * tierPercent[tier] + 99n) / 100n;
  // Against a node that lies.
  return price > capWei ? capWei : price;
}
