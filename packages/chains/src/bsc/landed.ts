import type { Address, Hex } from 'viem';
import { z } from 'zod';
import type { AttemptRef, ChainFailure, LandedOutcome } from '../port.ts';
import { isRevert, landedFailure, reasonOfError } from './failures.ts';
import { blockOf, callOf, hexSchema, quantitySchema, transactionOf } from './rpc-calls.ts';
import { requireResult, type RpcAnswer, type RpcClient } from './rpc-client.ts';
import { settle, type Receipt } from './settlement.ts';

const transactionSchema = z.object({
  from: hexSchema,
  to: hexSchema.nullable(),
  value: quantitySchema,
  input: hexSchema,
  gas: quantitySchema,
});
const blockSchema = z.object({ timestamp: quantitySchema });

/** What an outcome needs of the transaction besides its receipt. */
export interface SentTransaction {
  readonly from: Address;
  readonly to: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly gas: bigint;
}

export interface Landed {
  readonly attempt: AttemptRef;
  readonly receipt: Receipt;
  /** Given where the bytes are at hand; asked from the node otherwise. */
  readonly transaction?: SentTransaction;
}

/**
 * The outcomes of attempts whose receipts are known, in order, with one request for all that is missing. What the
 * node tells of one may be unreadable: that one is rejected, the others are not.
 */
export async function landedOutcomes(
  chain: { readonly rpc: RpcClient; readonly wbnb: Address; readonly v3Router: Address },
  landed: readonly Landed[],
  signal?: AbortSignal,
): Promise<PromiseSettledResult<LandedOutcome>[]> {
  const { rpc, wbnb, v3Router } = chain;
  const questions = landed.flatMap(({ receipt, transaction }) => [
    ...(transaction ? [] : [transactionOf(receipt.transactionHash)]),
    ...(blockTimeIn(receipt) === undefined ? [blockOf(receipt.blockNumber)] : []),
  ]);
  const answers = questions.length > 0 ? await rpc.readAll(questions, signal) : [];
  let next = 0;
  const take = (): RpcAnswer | undefined => answers[next++];

  return Promise.allSettled(
    landed.map(async ({ attempt, receipt, transaction }): Promise<LandedOutcome> => {
      // Both are taken before anything is read: an unreadable one must not shift the answers of the next.
      const sentAnswer = transaction ? undefined : take();
      const blockAnswer = blockTimeIn(receipt) === undefined ? take() : undefined;
      const sent = transaction ?? transactionSchema.parse(requireResult(sentAnswer));
      const time = blockTimeIn(receipt) ?? blockSchema.parse(requireResult(blockAnswer)).timestamp;
      const landedAt = new Date(Number(time) * 1000);
      const settlement = settle(receipt, attempt, { sentWei: sent.value, wbnb, v3Router, landedAt });
      if (receipt.status === '0x1') return { kind: 'success', settlement };
      return { kind: 'reverted', settlement, failure: await whyReverted(rpc, receipt, sent, signal) };
    }),
  );
}

/** Newer nodes tell the time in each log, which spares a question; a reverted transaction has no logs. */
function blockTimeIn(receipt: Receipt): bigint | undefined {
  return receipt.logs[0]?.blockTimestamp ?? undefined;
}

/**
 * A receipt gives no reason, so the call is run again on the state after its block, or on the newest state where
 * the node has dropped that one: an answer that only time could have made wrong is not believed there.
 */
async function whyReverted(
  rpc: RpcClient,
  receipt: Receipt,
  { from, to, input, value, gas }: SentTransaction,
  signal?: AbortSignal,
): Promise<ChainFailure> {
  // Of the gas left, each call keeps back a 64th (EIP-150), so that a call deeper down can run out before all is used.
  if (receipt.gasUsed * 20n >= gas * 19n) return landedFailure('out of gas');
  if (to === null) return landedFailure('no reason given');
  const call = { to, data: input, value };
  for (const block of [receipt.blockNumber, 'latest'] as const) {
    const [answer] = await rpc.readAll([callOf(call, { from, gas, block })], signal);
    if (!answer || answer.ok || !isRevert(answer.error)) continue;
    const failure = landedFailure(reasonOfError(answer.error));
    if (block !== 'latest' || failure.code !== 'TRANSACTION_EXPIRED') return failure;
  }
  return landedFailure('no reason given');
}
