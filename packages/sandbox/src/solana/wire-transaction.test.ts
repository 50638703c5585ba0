import {
  AccountRole,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  appendTransactionMessageInstructions,
  blockhash,
} from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressOf } from './addresses.ts';
import { createRuntime } from './runtime.ts';
import { isWritableStatic, parseTransaction } from './wire-transaction.ts';

const program = addressOf(Buffer.alloc(32, 9));

async function example(version: 'legacy' | 0) {
  const payer = await generateKeyPairSigner();
  const accounts = [
    { address: addressOf(Buffer.alloc(32, 1)), role: AccountRole.WRITABLE },
    { address: addressOf(Buffer.alloc(32, 2)), role: AccountRole.READONLY },
  ];
  const compiled = pipe(
    createTransactionMessage({ version }),
    (message) => setTransactionMessageFeePayer(payer.address, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(program), lastValidBlockHeight: 0n },
        message,
      ),
    (message) =>
      appendTransactionMessageInstructions(
        [{ programAddress: program, accounts, data: Buffer.alloc(200, 7) }],
        message,
      ),
    compileTransaction,
  );
  const transaction = await signTransaction([payer.keyPair], compiled);
  return { transaction, wire: Uint8Array.from(getTransactionEncoder().encode(transaction)) };
}

describe('reading wire transactions', () => {
  it.each(['legacy', 0] as const)('sees in version %s what kit sees', async (version) => {
    const { transaction, wire } = await example(version);
    const kit = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const { signature, message } = parseTransaction(wire);
    expect(signature).toBe(getSignatureFromTransaction(transaction));
    expect(message.version).toBe(kit.version);
    expect(message.staticAccounts).toEqual(kit.staticAccounts);
    expect(message.blockhash).toBe(program);
    expect(message.instructions[0]?.data).toHaveLength(200);
    expect(message.staticAccounts.map((_, index) => isWritableStatic(message, index))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('refuses a length that is not in its shortest form, which once aborted the whole process', async () => {
    const { wire } = await example(0);
    // One signature, written as the two bytes 0x81 0x00.
    const malformed = Buffer.concat([Buffer.from([0x81, 0x00]), wire.subarray(1)]);
    expect(() => parseTransaction(malformed)).toThrow(RangeError);
  });

  it('lets through to the runtime only what the runtime can read, whatever the bytes', async () => {
    const runtime = createRuntime();
    const wires = await Promise.all([example('legacy'), example(0)]);
    const change = fc.record({ at: fc.nat(600), to: fc.oneof(fc.nat(255), fc.nat(12)) });
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (which, changes) => {
          const bytes = Buffer.from(wires[which]?.wire ?? []);
          for (const { at, to } of changes) bytes[at % bytes.length] = to;
          let parsed;
          try {
            parsed = parseTransaction(bytes);
          } catch (error) {
            if (error instanceof RangeError) return;
            throw error;
          }
          const isLegacy = parsed.message.version === 'legacy';
          expect(runtime.simulate(bytes, isLegacy, { verifySignatures: false }).error).not.toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });
});
