import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  signTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import type { SandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

export async function solanaToken(sandbox: SandboxClient) {
  const { tokens } = await sandbox.solana();
  const token = tokens.find(({ address }) => address !== WRAPPED_SOL);
  if (!token) throw new Error('The Solana sandbox has no tokens');
  return token;
}

/** A buy as Jupiter quotes and composes it at this moment, signed: what no Solana swap can do without. */
export async function bareSolanaBuy(
  url: string,
  signer: KeyPairSigner,
  buy: { readonly token: string; readonly lamports: bigint; readonly slippageBps: number },
) {
  const query = new URLSearchParams({
    inputMint: WRAPPED_SOL,
    outputMint: buy.token,
    amount: String(buy.lamports),
    slippageBps: String(buy.slippageBps),
  });
  const quoteResponse: unknown = await (await fetch(`${url}/swap/v1/quote?${query.toString()}`)).json();
  const answer = await fetch(`${url}/swap/v1/swap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quoteResponse, userPublicKey: signer.address, dynamicComputeUnitLimit: true }),
  });
  // Jupiter's documented answer; anything else fails in the decoder.
  const { swapTransaction } = (await answer.json()) as { swapTransaction: string };
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(swapTransaction));
  const transaction = await signTransaction([signer.keyPair], unsigned);
  return {
    wire: getBase64EncodedWireTransaction(transaction),
    signature: getSignatureFromTransaction(transaction),
  };
}
