import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import type { Address, Blockhash } from '@solana/kit';
import { explainFailure } from './failures.ts';
import type { SolanaRpc } from './rpc.ts';
import { unsignedWire } from './swap-transaction.ts';

/** An account as simulation leaves it; a closed one is null, or listed without lamports. */
export interface SimulatedAccount {
  readonly lamports: bigint;
  readonly data: readonly [string, 'base64'];
}

const blockhashTries = 3;
const blockhashWaitMs = 250;

export async function readLatestBlockhash(
  rpc: SolanaRpc,
  signal: AbortSignal | undefined,
): Promise<{ blockhash: Blockhash; lastValidBlockHeight: bigint }> {
  const { value } = await rpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send(signal && { abortSignal: signal });
  return value;
}

/**
 * Simulates a message without a signature and answers what the accounts would be, in order. A provider's nodes are not
 * all at one height: one that does not know the blockhash of another yet is asked again for a moment.
 */
export async function simulate(
  rpc: SolanaRpc,
  message: Uint8Array,
  addresses: readonly Address[],
  signal: AbortSignal | undefined,
): Promise<readonly (SimulatedAccount | null)[]> {
  const wire = unsignedWire(message);
  for (let attempt = 1; ; attempt += 1) {
    const { value } = await rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        sigVerify: false,
        commitment: 'processed',
        accounts: { encoding: 'base64', addresses },
      })
      .send(signal && { abortSignal: signal });
    if (value.err === null) return value.accounts;
    if (value.err !== 'BlockhashNotFound' || attempt === blockhashTries) {
      throw refusal(value.err, value.logs ?? []);
    }
    await delay(blockhashWaitMs, undefined, { signal });
  }
}

// Nothing was sent, so nothing was reverted.
function refusal(error: unknown, logs: readonly string[]): KervanError {
  const { code, context } = explainFailure(error, logs);
  return new KervanError(code === 'TRANSACTION_REVERTED' ? 'SIMULATION_FAILED' : code, context);
}
