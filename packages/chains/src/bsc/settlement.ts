import type { Action } from '@kervan/contract';
import { maxUint256, size, toEventSelector, type Address, type Hex } from 'viem';
import { z } from 'zod';
import type { Settlement, TransferTerms } from '../port.ts';
import { hexSchema, listSchema, quantitySchema } from './rpc-calls.ts';

const logSchema = z.object({
  address: hexSchema,
  topics: listSchema(hexSchema, 4),
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
  logs: listSchema(logSchema),
});

export type Receipt = z.infer<typeof receiptSchema>;

const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const depositTopic = toEventSelector('Deposit(address,uint256)');
const withdrawalTopic = toEventSelector('Withdrawal(address,uint256)');

/**
 * What a landed transaction did to its owner's balances, in base units.
 *
 * A buy costs the wei that the transaction carried. Only V3's router may take less where a pool runs dry, and gives
 * the rest back: there it is what the router wrapped last, to pay the pool, whatever a token's own code did before.
 * A sell brings what the router unwrapped last: both routers unwrap and forward exactly the swap's BNB as their
 * final step. Tokens are the Transfer logs to and from the owner, which a token may write as it likes: never more
 * than 256 bits. A transfer costs the wei that it carried. Approvals and cancels have none of these and come out as
 * zero.
 */
export function settle(
  receipt: Receipt,
  attempt: {
    readonly owner: string;
    readonly action: Action;
    readonly tokenAddress: string;
    readonly transfer?: TransferTerms;
  },
  chain: {
    readonly sentWei: bigint;
    readonly wbnb: Address;
    readonly v3Router: Address;
    readonly landedAt: Date;
  },
): Settlement {
  const landed = receipt.status === '0x1';
  const bought = landed ? tokensReceived(receipt, attempt.tokenAddress, attempt.owner) : 0n;
  const isBuy = attempt.action === 'buy';
  const isSpent = isBuy || attempt.transfer !== undefined;
  const native = isSpent ? spent(receipt, chain) : (lastOfRouter(receipt, chain.wbnb, withdrawalTopic) ?? 0n);
  return {
    nativeUnits: landed ? native : 0n,
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
    if (topic !== transferTopic || !isSame(address, token) || !isWord(data)) continue;
    if (to !== undefined && isSame(addressIn(to), owner)) units += BigInt(data);
    if (from !== undefined && isSame(addressIn(from), owner)) units -= BigInt(data);
  }
  if (units > maxUint256) return maxUint256;
  return units < -maxUint256 ? -maxUint256 : units;
}

function spent(
  receipt: Receipt,
  { sentWei, wbnb, v3Router }: { sentWei: bigint; wbnb: Address; v3Router: Address },
): bigint {
  if (receipt.to === null || !isSame(receipt.to, v3Router)) return sentWei;
  return lastOfRouter(receipt, wbnb, depositTopic) ?? sentWei;
}

/** The wei of the router's last Deposit into or Withdrawal from WBNB; undefined without any. */
function lastOfRouter(receipt: Receipt, wbnb: Address, wanted: Hex): bigint | undefined {
  const { to: router } = receipt;
  if (router === null) return undefined;
  const log = receipt.logs.findLast(
    ({ address, topics: [topic, account], data }) =>
      topic === wanted &&
      isSame(address, wbnb) &&
      account !== undefined &&
      isSame(addressIn(account), router) &&
      isWord(data),
  );
  return log && BigInt(log.data);
}

/** Whether a log's data is one number; anyone may write other logs under the same topic. */
function isWord(data: Hex): boolean {
  return size(data) === 32;
}

/** An address out of the 32 bytes of a log topic. */
function addressIn(topic: string): string {
  return `0x${topic.slice(-40)}`;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
