import { KervanError, NATIVE, type Chain } from '@kervan/contract';
import { unitsFromNumber } from '@kervan/domain';

/** A typed amount of the chain's own coin in base units. Throws AMOUNT_TOO_PRECISE. */
export function typedUnits(amount: number, chain: Chain): bigint {
  const { decimals } = NATIVE[chain];
  const units = unitsFromNumber(amount, decimals);
  if (units === undefined) throw new KervanError('AMOUNT_TOO_PRECISE', { decimals });
  return units;
}
