import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, NATIVE, type Chain, type DexVersion, type Network } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import { formatUnits } from '@kervan/domain';
import type { Clock } from '../lib/clock.ts';
import type { Networks } from './networks.ts';
import { findStablecoin, type Stablecoin } from './stablecoins.ts';

export interface NativePrice {
  /** US dollars for one SOL or BNB, as an exact decimal. */
  readonly price: string;
  /** When the network's DEX was asked. */
  readonly at: Date;
}

export interface PriceSource {
  /**
   * What one SOL or BNB sells for on the network's own DEX, never more than a minute old. Answers at once while
   * a price is known and refreshes it behind the caller's back; waits a little for the first. Null where there is none
   * to be had. Never throws.
   */
  nativePriceUsd(chain: Chain, network: Network): Promise<NativePrice | null>;
}

const PRICE_MAX_AGE_MS = 60_000;
const FRESH_MS = 10_000;
/** A DEX that could not be asked is left alone for this long. */
const RETRY_MS = 5_000;
const WAIT_MS = 3_000;
const ASK_TIMEOUT_MS = 10_000;

/** Whose balance a quote looks at; that it has none changes nothing about the price. */
const ASKERS: Readonly<Record<Chain, string>> = {
  solana: '11111111111111111111111111111111',
  bsc: '0x00000000000000000000000000000000005ca1e5',
};
const VENUES: Readonly<Record<Chain, readonly (DexVersion | undefined)[]>> = {
  solana: [undefined],
  bsc: ['v2', 'v3'],
};

interface Dependencies {
  readonly networks: Pick<Networks, 'verifiedPort' | 'sandbox'>;
  readonly clock: Clock;
}

interface Entry {
  known?: NativePrice;
  askedAt: number;
  asking?: Promise<void>;
}

/** Prices from the networks' own DEXs, against the network's stablecoin; no third party is asked. */
export function createPriceSource({ networks, clock }: Dependencies): PriceSource {
  const entries = new Map<string, Entry>();

  async function ask(chain: Chain, network: Network): Promise<NativePrice | undefined> {
    const stablecoin = await findStablecoin(chain, network, networks.sandbox);
    if (stablecoin === undefined) return undefined;
    const port = await networks.verifiedPort(chain, network);
    const at = clock();
    const offers = VENUES[chain].map((dexVersion) => priceAt(port, stablecoin, dexVersion));
    const best = (await Promise.all(offers)).reduce((one, other) => (other > one ? other : one));
    return best > 0n ? { price: formatUnits(best, stablecoin.decimals), at } : undefined;
  }

  async function refresh(entry: Entry, chain: Chain, network: Network): Promise<void> {
    try {
      const price = await ask(chain, network);
      if (price) entry.known = price;
    } catch {
      // Health tells of a node that can't be asked; here its price only grows old.
    } finally {
      delete entry.asking;
    }
  }

  return {
    async nativePriceUsd(chain, network) {
      const key = `${chain} ${network}`;
      const entry = entries.get(key) ?? { askedAt: Number.NEGATIVE_INFINITY };
      entries.set(key, entry);
      const now = clock().getTime();
      const ageMs = entry.known ? now - entry.known.at.getTime() : Number.POSITIVE_INFINITY;
      if (ageMs > FRESH_MS && now - entry.askedAt >= RETRY_MS && !entry.asking) {
        entry.askedAt = now;
        entry.asking = refresh(entry, chain, network);
      }
      if (ageMs <= PRICE_MAX_AGE_MS) return entry.known ?? null;
      if (entry.asking) await Promise.race([entry.asking, delay(WAIT_MS, undefined, { ref: false })]);
      const { known } = entry;
      return known && clock().getTime() - known.at.getTime() <= PRICE_MAX_AGE_MS ? known : null;
    },
  };
}

/** Stablecoin base units for one whole native coin; 0 where no pool trades it. */
async function priceAt(
  port: ChainPort,
  { address }: Stablecoin,
  dexVersion: DexVersion | undefined,
): Promise<bigint> {
  try {
    const quote = await port.quote(
      {
        owner: ASKERS[port.chain],
        action: 'buy',
        tokenAddress: address,
        amountInUnits: 10n ** BigInt(NATIVE[port.chain].decimals),
        slippageBps: 0,
        ...(dexVersion && { dexVersion }),
      },
      AbortSignal.timeout(ASK_TIMEOUT_MS),
    );
    return quote.expectedOutUnits;
  } catch (error) {
    if (error instanceof KervanError && error.code === 'ROUTE_UNAVAILABLE') return 0n;
    throw error;
  }
}
