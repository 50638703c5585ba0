import { address } from '@solana/kit';
import type { WireMessage } from './wire-transaction.ts';

export const computeBudgetProgram = address('ComputeBudget111111111111111111111111111111');

const lamportsPerSignature = 5000n;
const defaultUnitsPerInstruction = 200_000n;
const maxUnits = 1_400_000n;
const microLamportsPerLamport = 1_000_000n;
const setUnitLimit = 2;
const setUnitPrice = 3;

/**
 * The fee in lamports: 5,000 for every signature, and the compute unit limit times the unit price in
 * micro-lamports, rounded up (Solana documentation, "Fees on Solana").
 */
export function transactionFee(message: WireMessage): bigint {
  let limit: bigint | undefined;
  let price = 0n;
  let others = 0n;
  for (const instruction of message.instructions) {
    if (message.staticAccounts[instruction.programIdIndex] !== computeBudgetProgram) {
      others += 1n;
      continue;
    }
    const data = Buffer.from(instruction.data);
    if (data[0] === setUnitLimit && data.length >= 5) limit = BigInt(data.readUInt32LE(1));
    if (data[0] === setUnitPrice && data.length >= 9) price = data.readBigUInt64LE(1);
  }
  const wanted = limit ?? others * defaultUnitsPerInstruction;
  const units = wanted > maxUnits ? maxUnits : wanted;
  const priority = (units * price + microLamportsPerLamport - 1n) / microLamportsPerLamport;
  return lamportsPerSignature * BigInt(message.requiredSignatures) + priority;
}
