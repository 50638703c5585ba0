import type { Address } from 'viem';
import type { AttemptRef, Outcome } from '../port.ts';
import { requireAddress } from './address.ts';
import { landedOutcomes } from './landed.ts';
import { headOf, quantitySchema, receiptOf, transactionCountOf, transactionOf } from './rpc-calls.ts';
import { requireResult, type RpcClient } from './rpc-client.ts';
import { receiptSchema, type Receipt } from './settlement.ts';

export interface OutcomeDependencies {
  readonly rpc: RpcClient;
  readonly wbnb: Address;
  readonly v3Router: Address;
  /** Blocks that make a receipt final, its own included. */
  readonly confirmations: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Blocks by which nodes behind one URL may be apart. A nonce used that long ago is known to all of them, and so is
 * the receipt of the transaction that used it.
 */
const laggingBlocks = 20;
/**
 * How long a node surely finds a transaction by its hash: by default bsc keeps the index of 2,350,000 blocks, which
 * at 0.45 s are 12 days. Of an older attempt "not found" says nothing.
 */
const indexedMs = 10 * 24 * 3_600_000;

const receiptAnswer = receiptSchema.nullable();

/** What one node said at one moment. */
interface Look {
  readonly receipt: Receipt | null;
  /** Whether the transaction itself is known, mined or waiting. */
  readonly isKnown: boolean;
  readonly head: bigint;
}

/**
 * What became of an attempt. Its receipt, deep enough, ends it. It is dead when its nonce was used at a depth that
 * no node lags behind, and two looks, the second after the nonce was read and from a node that has come as far as
 * the first, both find neither receipt nor transaction.
 */
export async function readOutcome(
  dependencies: OutcomeDependencies,
  attempt: AttemptRef,
  signal?: AbortSignal,
): Promise<Outcome> {
  const first = await look(dependencies, attempt, signal);
  if (first.receipt !== null) return outcomeOf(dependencies, attempt, first.receipt, first.head, signal);
  if (first.isKnown || !mayProveAbsence(dependencies, attempt)) return { kind: 'pending' };
  if (!(await isNonceGone(dependencies, attempt, first.head, signal))) return { kind: 'pending' };

  const second = await look(dependencies, attempt, signal);
  if (second.receipt !== null) return outcomeOf(dependencies, attempt, second.receipt, second.head, signal);
  return second.isKnown || second.head < first.head ? { kind: 'pending' } : { kind: 'dead', why: 'replaced' };
}

/** Whether the node can still be expected to find the attempt if it ever landed. */
function mayProveAbsence({ now }: OutcomeDependencies, { createdAt }: AttemptRef): boolean {
  return createdAt === undefined || now() - createdAt.getTime() <= indexedMs;
}

/** Whether the nonce was used by the block that is deep enough under the given head. */
async function isNonceGone(
  { rpc, confirmations }: OutcomeDependencies,
  { owner, expiry }: AttemptRef,
  head: bigint,
  signal?: AbortSignal,
): Promise<boolean> {
  if (expiry.kind !== 'nonce') return false;
  // One confirmation is the word of a single node whose blocks are final.
  const depth = confirmations <= 1 ? 1 : Math.max(confirmations, laggingBlocks);
  const settledBlock = head - BigInt(depth - 1);
  if (settledBlock < 0n) return false;
  const address = requireAddress(owner, 'ADDRESS_INVALID');
  const [count] = await rpc.readAll([transactionCountOf(address, settledBlock)], signal);
  // A node that lacks the block, or has dropped its state already, can't tell; the next look asks about a newer one.
  return count?.ok === true && quantitySchema.parse(count.result) > expiry.nonce;
}

async function outcomeOf(
  dependencies: OutcomeDependencies,
  attempt: AttemptRef,
  receipt: Receipt,
  head: bigint,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (!isDeep(receipt, head, dependencies.confirmations)) return { kind: 'pending' };
  const [outcome] = await landedOutcomes(dependencies, [{ attempt, receipt }], signal);
  if (outcome?.status === 'rejected') throw outcome.reason;
  return outcome?.value ?? { kind: 'pending' };
}

/** A node may count its newest block before `eth_blockNumber` tells of it. */
export function isDeep(receipt: Receipt, head: bigint, confirmations: number): boolean {
  return confirmations <= 1 || receipt.blockNumber + BigInt(confirmations - 1) <= head;
}

async function look({ rpc }: OutcomeDependencies, { txId }: AttemptRef, signal?: AbortSignal): Promise<Look> {
  const [receipt, transaction, head] = await rpc.readAll(
    [receiptOf(txId), transactionOf(txId), headOf],
    signal,
  );
  return {
    receipt: receiptAnswer.parse(requireResult(receipt)),
    isKnown: requireResult(transaction) !== null,
    head: quantitySchema.parse(requireResult(head)),
  };
}
