import { BSC_CHAIN_IDS, KervanError, type Network } from '@kervan/contract';
import { askNode, findNetwork } from '@kervan/chains';
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
    const { status, text } = await askNode(new URL(url), {
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_MAX_BYTES,
    });
    if (status === 401 || status === 403) throw new KervanError('PROVIDER_KEY_REFUSED', { field });
    // Where a redirect leads is another address than the one that was given.
    if (status < 200 || status >= 300) throw new Error(`HTTP ${status}`);
    return answerSchema.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof KervanError) throw error;
    // The cause is left out: an error may repeat the address's host.
    throw new KervanError('NODE_UNREACHABLE', { field });
  }
}
