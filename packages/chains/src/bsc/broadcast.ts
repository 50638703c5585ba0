import { bytesToHex, type Address, type Hex } from 'viem';
import type { BroadcastAnswer, BroadcastRequest } from '../port.ts';
import { printable } from '../printable.ts';
import { requireAddress } from './address.ts';
import { landedOutcomes } from './landed.ts';
import { readOutcome, type OutcomeDependencies } from './outcome.ts';
import { transactionOf } from './rpc-calls.ts';
import type { RpcError } from './rpc-client.ts';
import { receiptSchema } from './settlement.ts';
import { deserialize } from './transaction.ts';

/** Answers that mean: the node has the very transaction. Geth and bsc; anvil, erigon, nethermind. */
const alreadyKnown = /already known|already imported|known transaction|alreadyknown/i;
/** Of `eth_sendRawTransactionSync` (EIP-7966): taken, but not mined in the node's time (4) or queued (5). */
const syncTaken = new Set([4, 5]);
const methodMissing = -32_601;
const missingWords = /method .*(not found|not available|not supported|does not exist)|unsupported method/i;
const nonceUsed = /nonce too low|nonce is too low|oldnonce/i;

/**
 * Sends signed bytes, once. With one confirmation, and where the node has `eth_sendRawTransactionSync`
 * (EIP-7966), its answer is the receipt; a node without it is recognised by the first send and not asked again.
 */
export function createBroadcaster(
  dependencies: OutcomeDependencies,
): (request: BroadcastRequest, signal?: AbortSignal) => Promise<BroadcastAnswer> {
  const { rpc, confirmations } = dependencies;
  let useSync = confirmations === 1;

  async function landed(
    request: BroadcastRequest,
    raw: Hex,
    receipt: unknown,
    signal?: AbortSignal,
  ): Promise<BroadcastAnswer> {
    const parsed = receiptSchema.safeParse(receipt);
    if (!parsed.success) return { kind: 'accepted' };
    const { to, value, data, gas } = deserialize(raw);
    const from: Address = requireAddress(request.owner, 'ADDRESS_INVALID');
    const transaction = { from, to, value, input: data, gas };
    try {
      const found = { attempt: request, receipt: parsed.data, transaction };
      const [outcome] = await landedOutcomes(dependencies, [found], signal);
      if (outcome?.status === 'fulfilled') return { kind: 'landed', outcome: outcome.value };
    } catch {
      // It has landed, but what it did can't be told yet: `watch` will.
      signal?.throwIfAborted();
    }
    return { kind: 'accepted' };
  }

  /** The nonce is used, perhaps by this very transaction. */
  async function afterUsedNonce(
    request: BroadcastRequest,
    error: RpcError,
    signal?: AbortSignal,
  ): Promise<BroadcastAnswer> {
    const outcome = await readOutcome(dependencies, request, signal);
    if (outcome.kind === 'success' || outcome.kind === 'reverted') return { kind: 'landed', outcome };
    const known = await rpc.read(transactionOf(request.txId), signal);
    return known === null ? rejected(error) : { kind: 'accepted' };
  }

  async function refused(
    request: BroadcastRequest,
    error: RpcError,
    signal?: AbortSignal,
  ): Promise<BroadcastAnswer> {
    if (alreadyKnown.test(error.message)) return { kind: 'accepted' };
    if (syncTaken.has(error.code)) return { kind: 'accepted' };
    if (nonceUsed.test(error.message)) return afterUsedNonce(request, error, signal);
    return rejected(error);
  }

  return async (request, signal) => {
    const raw = bytesToHex(request.bytes);
    if (useSync) {
      const answer = await rpc.send({ method: 'eth_sendRawTransactionSync', params: [raw] }, signal);
      if (answer.ok) return landed(request, raw, answer.result, signal);
      if (!isMethodMissing(answer.error)) return refused(request, answer.error, signal);
      useSync = false;
    }
    const answer = await rpc.send({ method: 'eth_sendRawTransaction', params: [raw] }, signal);
    return answer.ok ? { kind: 'accepted' } : refused(request, answer.error, signal);
  };
}

function rejected(error: RpcError): BroadcastAnswer {
  return { kind: 'rejected', reason: printable(error.message) };
}

function isMethodMissing(error: RpcError): boolean {
  return error.code === methodMissing || missingWords.test(error.message);
}
