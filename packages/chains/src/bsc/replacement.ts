import { bytesToHex } from 'viem';
import type { PreparedTransaction, StuckAttempt } from '../port.ts';
import { requireAddress } from './address.ts';
import type { GasPriceSource } from './gas-price.ts';
import { deserialize, plainTransferGas, type UnsignedTransaction } from './transaction.ts';

/**
 * A transaction with the stuck one's nonce and at least 12.5 % more gas price (nodes want 10), or what its tier costs
 * by now: the same call again, or nothing sent to oneself. What a transfer of everything pays more for gas, it moves less.
 * Undefined when that price would be above the cap, which for a price that a person chose is at least its double, or
 * when nothing would be left to move.
 */
export async function prepareReplacement(
  { gasPrice, capWei }: { readonly gasPrice: GasPriceSource; readonly capWei: bigint },
  stuck: StuckAttempt,
  kind: 'bump' | 'cancel',
  signal?: AbortSignal,
): Promise<PreparedTransaction | undefined> {
  const owner = requireAddress(stuck.owner, 'ADDRESS_INVALID');
  const original = deserialize(bytesToHex(stuck.bytes));
  const raised = (original.gasPrice * 1125n + 999n) / 1000n;
  const { gas = 'standard' } = stuck;
  const isCustom = typeof gas === 'bigint';
  const current = await gasPrice.priceFor(isCustom ? 'standard' : gas, signal);
  const price = raised > current ? raised : current;
  const mostWei = isCustom && gas * 2n > capWei ? gas * 2n : capWei;
  if (price > mostWei) return undefined;
  const isOfAll = stuck.transfer?.asset.kind === 'native-rest' && stuck.purpose === 'transfer';
  const dearerByWei = isOfAll ? original.gas * (price - original.gasPrice) : 0n;
  if (kind === 'bump' && isOfAll && original.value <= dearerByWei) return undefined;
  const unsigned: UnsignedTransaction =
    kind === 'bump'
      ? { ...original, gasPrice: price, value: original.value - dearerByWei }
      : { ...original, gasPrice: price, to: owner, value: 0n, data: '0x', gas: plainTransferGas };
  return {
    purpose: kind === 'bump' ? stuck.purpose : 'cancel',
    owner,
    expiry: { kind: 'nonce', nonce: BigInt(original.nonce) },
    gasPriceUnits: price,
    quote: null,
    feeUnits: unsigned.gas * price,
    rentUnits: 0n,
    tipUnits: 0n,
    unsigned,
  };
}
