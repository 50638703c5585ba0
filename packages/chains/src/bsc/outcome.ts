import type { Address } from 'viem';
import type { AttemptRef, Outcome } from '../port.ts';
import { requireAddress } from './address.ts';
import { landedOutcomes } from './landed.ts';
import { headOf, quantitySchema, receiptOf, transactionCountOf } from './rpc-calls.ts';
import { requireResult, type RpcClient } from './rpc-client.ts';
import { receiptSchema, type Receipt } from './settlement.ts';

export interface OutcomeDependencies {
  readonly rpc: RpcClient;
  readonly wbnb: Address;
  /** Blocks that make a receipt final, its own included. */
  readonly confirmations: number;
}

const receiptAnswer = receiptSchema.nullable();

/**
 * What became of an attempt. Its receipt, deep enough, ends it. It is dead when its nonce is used at that depth
 * and there still is no receipt: the nonce is asked first, so a receipt that exists can't be missed between the
 * two, and the answer counts only from a node that has the block the nonce was read in.
 */
export async function readOutcome(
  dependencies: OutcomeDependencies,
  attempt: AttemptRef,
  signal?: AbortSignal,
): Promise<Outcome> {
  const first = await look(dependencies, attempt, signal);
  if (first.receipt !== null) return outcomeOf(dependencies, attempt, first.receipt, first.head, signal);
  if (attempt.expiry.kind !== 'nonce') return { kind: 'pending' };

  const settledBlock = first.head - BigInt(dependencies.confirmations - 1);
  const owner = requireAddress(attempt.owner, 'ADDRESS_INVALID');
  const [count] = await dependencies.rpc.readAll([transactionCountOf(owner, settledBlock)], signal);
  // A node that has dropped the block's state already can't be asked about it; the next look asks a newer one.
  if (!count?.ok || quantitySchema.parse(count.result) <= attempt.expiry.nonce) return { kind: 'pending' };

  const second = await look(dependencies, attempt, signal);
  if (second.receipt !== null) return outcomeOf(dependencies, attempt, second.receipt, second.head, signal);
  return second.head < settledBlock ? { kind: 'pending' } : { kind: 'dead', why: 'replaced' };
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
  return outcome ?? { kind: 'pending' };
}

/** A node may count its newest block before `eth_blockNumber` tells of it. */
export function isDeep(receipt: Receipt, head: bigint, confirmations: number): boolean {
  return confirmations <= 1 || receipt.blockNumber + BigInt(confirmations - 1) <= head;
}

async function look(
  { rpc }: OutcomeDependencies,
  attempt: AttemptRef,
  signal?: AbortSignal,
): Promise<{ receipt: Receipt | null; head: bigint }> {
  const [receipt, head] = await rpc.readAll([receiptOf(attempt.txId), headOf], signal);
  return {
    receipt: receiptAnswer.parse(requireResult(receipt)),
    head: quantitySchema.parse(requireResult(head)),
  };
}
