import { GWEI_DECIMALS, KervanError, type GasPrices } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { formatUnits } from '@kervan/domain';
import type { Networks } from '../../engine/networks.ts';
import { readSettings } from '../../engine/user-settings.ts';

interface Dependencies {
  readonly db: Database;
  readonly networks: Pick<Networks, 'verifiedPort'>;
}

export type GasPriceService = ReturnType<typeof createGasPriceService>;

/** What the gas tiers pay on the BSC network that the user has chosen, in gwei. */
export function createGasPriceService({ db, networks }: Dependencies) {
  return async function gasPrices(userId: string): Promise<GasPrices> {
    const { bsc } = await readSettings(db, userId);
    const port = await networks.verifiedPort('bsc', bsc.network, userId);
    const prices = await port.gasPrices?.();
    if (!prices) throw new KervanError('NETWORK_UNAVAILABLE', { chain: 'bsc', network: bsc.network });
    const gwei = (wei: bigint) => formatUnits(wei, GWEI_DECIMALS);
    return {
      standard: gwei(prices.standard),
      fast: gwei(prices.fast),
      instant: gwei(prices.instant),
      current: gwei(prices.current),
    };
  };
}
