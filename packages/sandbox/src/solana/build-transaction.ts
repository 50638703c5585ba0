import {
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { computeBudgetProgram } from './transaction-fee.ts';

interface Lifetime {
  blockhash: string;
  lastValidBlockHeight: number;
}

type BudgetInstruction = Instruction & { data: Uint8Array };

/** An unsigned version 0 wire transaction. */
export function buildTransaction(
  feePayer: Address,
  instructions: Instruction[],
  lifetime: Lifetime,
): Uint8Array {
  return Uint8Array.from(getTransactionEncoder().encode(compile(feePayer, instructions, lifetime)));
}

/** A version 0 wire transaction signed by all its signers, the first of whom pays. */
export async function buildSignedTransaction(
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
  instructions: Instruction[],
  lifetime: Lifetime,
): Promise<Uint8Array> {
  const unsigned = compile(signers[0].address, instructions, lifetime);
  const signed = await signTransaction(
    signers.map((signer) => signer.keyPair),
    unsigned,
  );
  return Uint8Array.from(getTransactionEncoder().encode(signed));
}

export function setComputeUnitLimit(units: number): BudgetInstruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2, 0);
  data.writeUInt32LE(units, 1);
  return { programAddress: computeBudgetProgram, data };
}

export function setComputeUnitPrice(microLamports: bigint): BudgetInstruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(3, 0);
  data.writeBigUInt64LE(microLamports, 1);
  return { programAddress: computeBudgetProgram, data };
}

function compile(
  feePayer: Address,
  instructions: Instruction[],
  lifetime: Lifetime,
): ReturnType<typeof compileTransaction> {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        {
          blockhash: blockhash(lifetime.blockhash),
          lastValidBlockHeight: BigInt(lifetime.lastValidBlockHeight),
        },
        message,
      ),
    (message) => appendTransactionMessageInstructions(instructions, message),
    compileTransaction,
  );
}
