import { parseTransaction, serializeTransaction, type Hex } from 'viem';
import { z } from 'zod';
import { hexSchema } from './rpc-calls.ts';

/** Gas of a transfer that runs no code (Ethereum yellow paper, G_transaction). */
export const plainTransferGas = 21_000n;

/** A legacy transaction with everything said: nothing is left to a node's or library's defaults. */
export const unsignedSchema = z.object({
  chainId: z.int().positive(),
  nonce: z.int().nonnegative(),
  gasPrice: z.bigint().positive(),
  gas: z.bigint().positive(),
  to: hexSchema,
  value: z.bigint().nonnegative(),
  data: hexSchema,
});

export type UnsignedTransaction = z.infer<typeof unsignedSchema>;

/** RLP of the transaction as EIP-155 hashes it for signing, or as it is sent when a signature is given. */
export function serialize(
  transaction: UnsignedTransaction,
  signature?: { r: Hex; s: Hex; yParity: number },
): Hex {
  const { chainId, nonce, gasPrice, gas, to, value, data } = transaction;
  return serializeTransaction(
    { type: 'legacy', chainId, nonce, gasPrice, gas, to, value, data },
    signature && { r: signature.r, s: signature.s, v: 27n + BigInt(signature.yParity) },
  );
}

/** Reads back the bytes of a transaction that this adapter signed. Throws TypeError for any other kind. */
export function deserialize(raw: Hex): UnsignedTransaction {
  const transaction = parseTransaction(raw);
  const { type, to, chainId, nonce = 0, gasPrice = 0n, gas = 0n, value = 0n, data = '0x' } = transaction;
  if (type !== 'legacy' || !to || chainId === undefined)
    throw new TypeError('Not a transaction of this adapter');
  return { chainId, nonce, gasPrice, gas, to, value, data };
}
