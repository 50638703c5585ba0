import { isSolanaError } from '@solana/kit';
import type { BroadcastAnswer } from '../port.ts';
import { printable } from '../printable.ts';
import type { SolanaRpc } from './rpc.ts';
import { wireText } from './swap-transaction.ts';

const alreadyProcessed = /AlreadyProcessed|already been processed/;

/**
 * Sends wire bytes once, unchecked by the node (they were simulated) and not retried by it: whoever holds the
 * attempt repeats the same bytes until the chain knows them or they have expired.
 */
export async function broadcast(
  rpc: SolanaRpc,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<BroadcastAnswer> {
  try {
    await rpc
      .sendTransaction(wireText(bytes), { encoding: 'base64', skipPreflight: true, maxRetries: 0n })
      .send(signal && { abortSignal: signal });
    return { kind: 'accepted' };
  } catch (error) {
    if (!isSolanaError(error)) throw error;
    const reason = error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
    if (alreadyProcessed.test(reason)) return { kind: 'accepted' };
    return { kind: 'rejected', reason: printable(reason) };
  }
}
