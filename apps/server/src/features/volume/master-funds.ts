import { KervanError, NATIVE, type Chain } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import { formatUnits, planFunding } from '@kervan/domain';
import { typedUnits } from './typed-units.ts';

interface FundingWish {
  readonly walletCount: number;
  readonly minAmount: number;
  readonly maxAmount: number;
}

/** What a wallet on Solana holds at least unless it holds nothing: its deposit. */
const DEPOSIT_UNITS: Readonly<Record<Chain, bigint>> = { solana: 890_880n, bsc: 0n };
const SOLANA_FEE_UNITS = 5_000n;
const BSC_TRANSFER_GAS = 21_000n;
/** Gas may be dearer when the last wallet is funded than it is now. */
const BSC_PRICE_MARGIN = 2n;

/**
 * What each wallet is funded with, never more in all than the master has beside the fees. Throws VOLUME_MASTER_SHORT
 * if that is not even the least for every wallet.
 *
 * @param recipient one of the wallets, to see what funding it costs
 */
export async function planMasterFunding(
  port: ChainPort,
  master: string,
  recipient: string,
  { walletCount, minAmount, maxAmount }: FundingWish,
  seed: Uint8Array,
): Promise<bigint[]> {
  const { chain } = port;
  const bounds = { minUnits: typedUnits(minAmount, chain), maxUnits: typedUnits(maxAmount, chain) };
  const balanceUnits = (await port.balances([master])).get(master) ?? 0n;
  const least = bounds.minUnits * BigInt(walletCount);
  if (balanceUnits <= least) throw short(chain, balanceUnits, least, walletCount);
  const costs =
    BigInt(walletCount) * (await feeUnits(port, master, recipient, bounds.minUnits)) + DEPOSIT_UNITS[chain];
  const plan = planFunding(seed, walletCount, bounds, balanceUnits - costs);
  if (!plan) throw short(chain, balanceUnits, least + costs, walletCount);
  return plan;
}

/** At most so much for one transfer. The chain is asked by preparing one, which also shows that the master can send. */
async function feeUnits(
  port: ChainPort,
  owner: string,
  recipient: string,
  amountUnits: bigint,
): Promise<bigint> {
  const asset = { kind: 'native', amountUnits } as const;
  const { gasPriceUnits } = await port.prepareTransfer({ owner, recipient, asset });
  return gasPriceUnits === null ? SOLANA_FEE_UNITS : gasPriceUnits * BSC_TRANSFER_GAS * BSC_PRICE_MARGIN;
}

function short(chain: Chain, available: bigint, needed: bigint, count: number): KervanError {
  const { symbol, decimals } = NATIVE[chain];
  return new KervanError('VOLUME_MASTER_SHORT', {
    available: formatUnits(available, decimals),
    needed: formatUnits(needed, decimals),
    count,
    symbol,
  });
}
