import {
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  appendTransactionMessageInstruction,
  address,
  blockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { describe, expect, it } from 'vitest';
import { resolveAccountKeys } from './account-keys.ts';
import { addressOf, bytesOf } from './addresses.ts';
import { createRuntime } from './runtime.ts';
import { parseTransaction } from './wire-transaction.ts';

describe('account keys', () => {
  it('include what a lookup table loads, in the order the runtime counts them', async () => {
    const runtime = createRuntime();
    const [payer, recipient] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
    const table = addressOf(Buffer.alloc(32, 5));
    const header = Buffer.alloc(56);
    header.writeUInt32LE(1, 0);
    header.writeBigUInt64LE(2n ** 64n - 1n, 4);
    runtime.put(table, {
      lamports: 10n ** 9n,
      owner: address('AddressLookupTab1e1111111111111111111111111'),
      data: Buffer.concat([header, bytesOf(recipient.address)]),
      executable: false,
    });
    const systemProgram = address('11111111111111111111111111111111');
    const wallet = { lamports: 10n ** 10n, owner: systemProgram, data: new Uint8Array(), executable: false };
    runtime.put(payer.address, wallet);
    const compiled = pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(payer.address, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash(table), lastValidBlockHeight: 0n },
          message,
        ),
      (message) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source: payer, destination: recipient.address, amount: 10n ** 9n }),
          message,
        ),
      (message) =>
        compressTransactionMessageUsingAddressLookupTables(message, { [table]: [recipient.address] }),
      compileTransaction,
    );
    const signed = await signTransaction([payer.keyPair], compiled);
    const transaction = parseTransaction(Uint8Array.from(getTransactionEncoder().encode(signed)));

    const keys = resolveAccountKeys(transaction.message, runtime);
    expect(keys.all).toEqual([payer.address, systemProgram, recipient.address]);
    expect(keys.isWritable).toEqual([true, false, true]);
    expect(keys.loaded).toEqual({ writable: [recipient.address], readonly: [] });
    runtime.setClock(1000, 0);
    expect(runtime.execute(transaction.wire, false).error).toBeNull();
    expect(runtime.balance(recipient.address)).toBe(10n ** 9n);
  });
});
