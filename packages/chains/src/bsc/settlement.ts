import type { Action } from '@kervan/contract';
import { toEventSelector, type Address } from 'viem';
import { z } from 'zod';
import type { Settlement } from '../port.ts';
import { hexSchema, quantitySchema } from './rpc-calls.ts';

const logSchema = z.object({
  address: hexSchema,
  topics: z.array(hexSchema),
  data: hexSchema,
  blockTimestamp: quantitySchema.nullish(),
});

/** A receipt as `eth_getTransactionReceipt` answers it, with numbers read. */
export const receiptSchema = z.object({
  transactionHash: hexSchema,
  status: z.enum(['0x0', '0x1']),
  blockNumber: quantitySchema,
  gasUsed: quantitySchema,
  effectiveGasPrice: quantitySchema,
  to: hexSchema.nullable(),
  logs: z.array(logSchema),
});

export type Receipt = z.infer<typeof receiptSchema>;

const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const withdrawalTopic = toEventSelector('Withdrawal(address,uint256)');

/**
 * What a landed transaction did to its owner's balances, in base units.
 *
 * A buy costs the wei that the transaction carried. A sell brings what the router unwrapped last: both routers
 * unwrap and forward exactly the swap's BNB as their final step, whatever a token's own code sold before. Tokens
 * are the Transfer logs to and from the owner. Approvals and cancels have none of these and come out as zero.
 */
export function settle(
  receipt: Receipt,
  attempt: { readonly owner: string; readonly action: Action; readonly tokenAddress: string },
  chain: { readonly sentWei: bigint; readonly wbnb: Address; readonly landedAt: Date },
): Settlement {
  const landed = receipt.status === '0x1';
  const bought = landed ? tokensReceived(receipt, attempt.tokenAddress, attempt.owner) : 0n;
  const unwrapped = landed ? lastUnwrapped(receipt, chain.wbnb) : 0n;
  const isBuy = attempt.action === 'buy';
  return {
    nativeUnits: isBuy ? (landed ? chain.sentWei : 0n) : unwrapped,
    tokenUnits: isBuy ? bought : -bought,
    feeUnits: receipt.gasUsed * receipt.effectiveGasPrice,
    tipUnits: 0n,
    rentUnits: 0n,
    height: receipt.blockNumber,
    landedAt: chain.landedAt,
  };
}

/** Transfers of the token to the owner minus those from the owner. */
function tokensReceived(receipt: Receipt, token: string, owner: string): bigint {
  let units = 0n;
  for (const { address, topics, data } of receipt.logs) {
    const [topic, from, to] = topics;
    if (topic !== transferTopic || !isSame(address, token) || data === '0x') continue;
    if (to !== undefined && isSame(addressIn(to), owner)) units += BigInt(data);
    if (from !== undefined && isSame(addressIn(from), owner)) units -= BigInt(data);
  }
  return units;
}

function lastUnwrapped(receipt: Receipt, wbnb: Address): bigint {
  const { to: router } = receipt;
  if (router === null) return 0n;
  const withdrawal = receipt.logs.findLast(
    ({ address, topics: [topic, source] }) =>
      topic === withdrawalTopic &&
      isSame(address, wbnb) &&
      source !== undefined &&
      isSame(addressIn(source), router),
  );
  return withdrawal ? BigInt(withdrawal.data) : 0n;
}

/** An address out of the 32 bytes of a log topic. */
function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
