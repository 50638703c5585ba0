import {
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  type CompiledTransactionMessage,
} from '@solana/kit';
import type { SignedTransaction } from '../port.ts';
import { signMessage } from './keys.ts';

const signatureLength = 64;

export type SwapMessage = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }>;

/**
 * The message of an unsigned wire transaction that somebody else composed, after checking that `owner` pays for it
 * and is the only one to sign, so that our one signature makes it complete. Throws an Error if not so. What it does
 * is `checkInstructions`' question.
 */
export function readSwapMessage(wire: Uint8Array, owner: Address): SwapMessage {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  // Later versions say elsewhere what they do and pay.
  if (message.version !== 'legacy' && message.version !== 0) throw new Error('The version is not known');
  if (message.staticAccounts[0] !== owner) throw new Error('The fee payer is not the owner');
  if (message.header.numSignerAccounts !== 1) throw new Error('The transaction needs another signature');
  return message;
}

/** The bytes to sign, valid as long as our `blockhash` is, whatever the composer put in. */
export function encodeMessage(message: SwapMessage, blockhash: Blockhash): Uint8Array {
  return Uint8Array.from(
    getCompiledTransactionMessageEncoder().encode({ ...message, lifetimeToken: blockhash }),
  );
}

/**
 * Puts a message with its one signature into wire form (a compact count of 1, the signature, the message).
 * Throws if the seed is not the key of `owner`.
 */
export function signSwapMessage(message: Uint8Array, owner: string, seed: Uint8Array): SignedTransaction {
  const { address, signature } = signMessage(message, seed);
  if (address !== owner) throw new Error('The key is not the key of the owner');
  return { txId: getBase58Decoder().decode(signature), bytes: wireForm(message, signature) };
}

/** The message as simulation takes it: with a signature of zeros. */
export function unsignedWire(message: Uint8Array): Base64EncodedWireTransaction {
  return wireText(wireForm(message, new Uint8Array(signatureLength)));
}

/** Wire bytes in base64, as the node takes them. */
export function wireText(bytes: Uint8Array): Base64EncodedWireTransaction {
  return getBase64EncodedWireTransaction(getTransactionDecoder().decode(bytes));
}

function wireForm(message: Uint8Array, signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + signatureLength + message.length);
  bytes[0] = 1;
  bytes.set(signature, 1);
  bytes.set(message, 1 + signatureLength);
  return bytes;
}
