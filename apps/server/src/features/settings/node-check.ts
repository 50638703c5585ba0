import { BSC_CHAIN_IDS, KervanError, type Network } from '@kervan/contract';
import { findNetwork } from '@kervan/chains';
import { z } from 'zod';

/** Within the time that a caller of ours waits. */
const TIMEOUT_MS = 8_000;
/** An answer to what is asked here is a line. */
const ANSWER_MAX_BYTES = 10_000;

const answerSchema = z.object({ result: z.string().max(100) });

/**
 * Asks a BSC node for its chain id. Throws NODE_UNREACHABLE or NODE_MISMATCH with the field; what else the address
 * answers is told to nobody, as it may be no node at all.
 */
export async function checkBscNode(field: string, url: string, network: Network): Promise<void> {
  const { result } = await ask(field, url, 'eth_chainId');
  const actual = /^0x[0-9a-f]{1,12}$/i.test(result) ? Number(result) : undefined;
  if (actual === undefined) throw new KervanError('NODE_UNREACHABLE', { field });
  const known = findNetwork('bsc', network);
  const expected = known?.chain === 'bsc' ? known.chainId : BSC_CHAIN_IDS.mainnet;
  if (actual === expected) return;
  throw new KervanError('NODE_MISMATCH', {
    field,
    actual: `chain id ${actual}`,
    expected: `chain id ${expected}`,
  });
}

/** Asks a Solana provider for its genesis hash. Throws PROVIDER_KEY_REFUSED too. */
export async function checkSolanaNode(field: string, url: string, network: Network): Promise<void> {
  const { result } = await ask(field, url, 'getGenesisHash');
  const known = findNetwork('solana', network);
  if (known?.chain === 'solana' && known.genesisHash === result) return;
  throw new KervanError('NODE_MISMATCH', { field, actual: 'another network', expected: `Solana ${network}` });
}

async function ask(field: string, url: string, method: string): Promise<{ result: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // Where it leads is another address than the one that was given.
      redirect: 'error',
    });
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      throw new KervanError('PROVIDER_KEY_REFUSED', { field });
    }
    return answerSchema.parse(JSON.parse(await readStart(response)));
  } catch (error) {
    if (error instanceof KervanError) throw error;
    // The cause is left out: fetch's errors may repeat the address, and with it a key.
    throw new KervanError('NODE_UNREACHABLE', { field });
  }
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_MAX_BYTES) throw new Error('the answer is too long for a node');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
