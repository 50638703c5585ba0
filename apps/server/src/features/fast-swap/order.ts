import { createHash } from 'node:crypto';
import {
  GWEI_DECIMALS,
  KervanError,
  type Action,
  type BscFastSwap,
  type Chain,
  type DexVersion,
  type FastSwap,
  type GasPrice,
} from '@kervan/contract';
import type { GasChoice, KeyMaterial } from '@kervan/chains';
import { parseUnits } from '@kervan/domain';
import type { ChainKeys } from '../../engine/networks.ts';

/** What a fast swap was asked for, the same for both chains. */
export interface Order {
  readonly chain: Chain;
  readonly action: Action;
  readonly tokenAddress: string;
  /** Of each wallet's balance. */
  readonly percent: number;
  readonly slippageBps: number;
  readonly dexVersion: DexVersion | null;
  readonly gas: GasChoice | null;
  readonly walletIds: readonly string[];
  /** Keys that were pasted for this order; whoever made it wipes them. */
  readonly pasted: readonly KeyMaterial[];
}

export function solanaOrder({ mode, tokenAddress, percent, slippageBps, walletIds }: FastSwap): Order {
  return {
    chain: 'solana',
    action: mode,
    tokenAddress,
    percent,
    slippageBps,
    dexVersion: null,
    gas: null,
    walletIds,
    pasted: [],
  };
}

/** Throws PRIVATE_KEY_HEX_INVALID with the field, for 64 hex digits that are no key. */
export async function bscOrder(body: BscFastSwap, keys: Pick<ChainKeys, 'importKey'>): Promise<Order> {
  return {
    chain: 'bsc',
    action: body.mode,
    tokenAddress: body.tokenAddress,
    percent: body.percent,
    // Typed as a percent, which has no finer steps than a basis point.
    slippageBps: Math.round(body.slippageBps * 100),
    dexVersion: body.pancakeSwapVersion,
    gas: gasChoice(body.gasPrice),
    walletIds: body.walletIds,
    pasted: await readKeys(body.privateKeys, keys),
  };
}

async function readKeys(
  texts: readonly string[],
  keys: Pick<ChainKeys, 'importKey'>,
): Promise<KeyMaterial[]> {
  const pasted: KeyMaterial[] = [];
  for (const [index, text] of texts.entries()) {
    try {
      pasted.push(await keys.importKey(text));
    } catch (error) {
      wipeKeys({ pasted });
      if (error instanceof KervanError) throw new KervanError(error.code, { field: `privateKeys.${index}` });
      throw error;
    }
  }
  return pasted;
}

function gasChoice(price: GasPrice): GasChoice {
  if (typeof price === 'string') return price;
  // Between a tenth of a gwei and 100, so that the shortest form has no exponent.
  return parseUnits(price.toFixed(GWEI_DECIMALS), GWEI_DECIMALS) ?? 0n;
}

export function wipeKeys({ pasted }: Pick<Order, 'pasted'>): void {
  for (const { secret } of pasted) secret.fill(0);
}

/** SHA-256 over what was asked for. Of a pasted key its address takes part, so that nothing here leads back to it. */
export function fingerprint(order: Order): Buffer {
  const { chain, action, tokenAddress, percent, slippageBps, dexVersion, gas, walletIds, pasted } = order;
  const asked = [
    [chain, action, tokenAddress, percent, slippageBps, dexVersion, gas === null ? null : String(gas)],
    walletIds,
    pasted.map(({ address }) => address),
  ];
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}
