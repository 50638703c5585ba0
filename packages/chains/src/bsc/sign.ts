import { signRecoverable } from 'tiny-secp256k1';
import { bytesToHex, hexToBytes, keccak256 } from 'viem';
import type { PreparedTransaction, SignedTransaction } from '../port.ts';
import { addressOfKey } from './keys.ts';
import { serialize, unsignedSchema } from './transaction.ts';

/**
 * Signs a prepared transaction (EIP-155, RFC 6979). Throws a TypeError if the secret is another wallet's: the
 * nonce and the simulation were for this one.
 */
export function sign(prepared: PreparedTransaction, secret: Uint8Array): SignedTransaction {
  if (addressOfKey(secret) !== prepared.owner) throw new TypeError('The key is not the owner’s');
  const transaction = unsignedSchema.parse(prepared.unsigned);
  const digest = keccak256(serialize(transaction), 'bytes');
  const { signature, recoveryId } = signRecoverable(digest, secret);
  const raw = serialize(transaction, {
    r: bytesToHex(signature.subarray(0, 32)),
    s: bytesToHex(signature.subarray(32)),
    yParity: recoveryId,
  });
  return { txId: keccak256(raw), bytes: Uint8Array.from(hexToBytes(raw)) };
}
