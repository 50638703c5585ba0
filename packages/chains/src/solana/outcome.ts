import { signature, type Signature } from '@solana/kit';
import type { AttemptRef, Outcome } from '../port.ts';
import { explainFailure } from './failures.ts';
import type { SolanaRpc } from './rpc.ts';
import { readSettlement } from './settlement.ts';

/** Where the chain is at finalized commitment. */
export interface FinalizedTip {
  readonly slot: bigint;
  readonly blockHeight: bigint;
}

export async function readFinalizedTip(rpc: SolanaRpc, signal?: AbortSignal): Promise<FinalizedTip> {
  const { absoluteSlot, blockHeight } = await rpc
    .getEpochInfo({ commitment: 'finalized' })
    .send(signal && { abortSignal: signal });
  return { slot: absoluteSlot, blockHeight };
}

/** Whether the attempt's blockhash is out of every fork's reach. That it has not landed is another question. */
export function isExpired(attempt: AttemptRef, tip: FinalizedTip): boolean {
  return attempt.expiry.kind === 'block-height' && attempt.expiry.lastValidBlockHeight < tip.blockHeight;
}

/**
 * What has become of an attempt: landed if it is in a confirmed block; dead only if its blockhash had expired at
 * finalized commitment before the whole history, asked after that, does not know it, and that history reaches back
 * to where the attempt could have landed; pending otherwise.
 */
export async function readOutcome(
  rpc: SolanaRpc,
  attempt: AttemptRef,
  signal?: AbortSignal,
): Promise<Outcome> {
  const [tip, landed] = await Promise.all([readFinalizedTip(rpc, signal), readLanded(rpc, attempt, signal)]);
  if (landed.kind !== 'pending' || !isExpired(attempt, tip)) return landed;

  const { context, value } = await rpc
    .getSignatureStatuses([signatureOf(attempt)], { searchTransactionHistory: true })
    .send(signal && { abortSignal: signal });
  // A node behind the one that named the height may lack what lies between.
  if (value[0] || context.slot < tip.slot) return { kind: 'pending' };
  // Asked last: what a node still has now, it had as well when it did not know the signature.
  return (await reachesBackTo(rpc, attempt, signal)) ? { kind: 'dead', why: 'expired' } : { kind: 'pending' };
}

/** Blocks after its own that a blockhash is valid for (Agave's MAX_PROCESSING_AGE). */
const blockhashLifetime = 150n;

/** Whether the node's ledger, which most nodes cut off at some age, goes back to the first block that could hold it. */
async function reachesBackTo(
  rpc: SolanaRpc,
  { expiry }: AttemptRef,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (expiry.kind !== 'block-height') return false;
  const earliest = expiry.lastValidBlockHeight - blockhashLifetime;
  const options = signal && { abortSignal: signal };
  const firstSlot = await rpc.getFirstAvailableBlock().send(options);
  // Slots may stay empty, so a block's height is never above its slot.
  if (firstSlot <= earliest) return true;
  const first = await rpc
    .getBlock(firstSlot, { commitment: 'finalized', transactionDetails: 'none', rewards: false })
    .send(options);
  // Null for blocks from before nodes recorded heights.
  const height: bigint | null = first?.blockHeight ?? null;
  return height !== null && height <= earliest;
}

/** The outcome of an attempt that has landed at `confirmed` or better, otherwise pending. */
export async function readLanded(
  rpc: SolanaRpc,
  attempt: AttemptRef,
  signal?: AbortSignal,
): Promise<Outcome> {
  const found = await rpc
    .getTransaction(signatureOf(attempt), {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send(signal && { abortSignal: signal });
  if (!found?.meta) return { kind: 'pending' };
  const { meta } = found;
  const settlement = readSettlement({ ...found, meta }, attempt);
  if (meta.err === null) return { kind: 'success', settlement };
  return { kind: 'reverted', settlement, failure: explainFailure(meta.err, meta.logMessages ?? []) };
}

export function signatureOf(attempt: AttemptRef): Signature {
  return signature(attempt.txId);
}
