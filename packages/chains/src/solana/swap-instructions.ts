import { KervanError } from '@kervan/contract';
import type { Address } from '@solana/kit';
import {
  associatedTokenProgram,
  computeBudgetProgram,
  systemProgram,
  token2022Program,
  tokenProgram,
} from './addresses.ts';
import type { SwapMessage } from './swap-transaction.ts';

/** What a transaction that somebody else composed may do. */
export interface SwapRules {
  readonly owner: Address;
  /** The wallet's own account for wrapped SOL. */
  readonly wrappedSolAccount: Address;
  readonly swapPrograms: ReadonlySet<string>;
  readonly maxPriorityFeeLamports: bigint;
  /** What it pays to these accounts, exactly. */
  readonly tipLamports: bigint;
  readonly tipAccounts: ReadonlySet<string>;
}

/** An instruction with its accounts by address; undefined for those that come from a lookup table. */
interface Instruction {
  readonly program: Address | undefined;
  readonly accounts: readonly (Address | undefined)[];
  readonly data: Buffer;
}

type Rule = (instruction: Instruction, rules: SwapRules) => boolean;

/** Compute Budget (heap, unit limit, unit price, data size); 0 is an older form that the runtime refuses. */
const computeBudgetTags = [1, 2, 3, 4];
const setComputeUnitLimit = 2;
const setComputeUnitPrice = 3;
/** System Program: the tag is a u32. */
const systemTransfer = 2;
const transferLength = 12;
/** Associated Token Account: create (also without data) and create idempotently. */
const createTags = [undefined, 0, 1];
/** SPL Token and Token-2022. */
const closeAccount = 9;
const syncNative = 17;

/** What wrapping SOL around a swap needs of each program, and nothing of what else they can do with an owner's name. */
const ruleOfProgram: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [computeBudgetProgram, ({ data }) => computeBudgetTags.includes(data[0] ?? -1)],
  [systemProgram, isOwnTransfer],
  [associatedTokenProgram, ({ data }) => createTags.includes(data[0])],
  [tokenProgram, isUnwrapping],
  [token2022Program, isUnwrapping],
]);

const maxComputeUnits = 1_400_000n;

/**
 * Checks every top-level instruction of a swap: only programs of the list, and of those that act on an owner's bare
 * signature only what wrapping and unwrapping SOL takes. SOL may go to the wallet's wrapped SOL account and, as much
 * as the tip is, to a tip account; a closed account's deposit to the wallet.
 *
 * Returns the priority fee in lamports that the message itself commits to. Throws SIMULATION_FAILED with the reason.
 */
export function checkInstructions(message: SwapMessage, rules: SwapRules): bigint {
  const instructions = readInstructions(message);
  for (const instruction of instructions) {
    const { program } = instruction;
    if (program !== undefined && rules.swapPrograms.has(program)) continue;
    const rule = program && ruleOfProgram.get(program);
    if (!rule) throw refusal(`calls the program ${program ?? 'of a lookup table'}`);
    if (!rule(instruction, rules)) throw refusal(`asks ${program} for more than a swap needs`);
  }
  const tip = tipOf(instructions, rules);
  if (tip !== rules.tipLamports) throw refusal(`tips ${tip} lamports instead of ${rules.tipLamports}`);
  const fee = priorityFee(instructions);
  if (fee > rules.maxPriorityFeeLamports) {
    throw refusal(
      `pays a priority fee of ${fee} lamports, where ${rules.maxPriorityFeeLamports} is the most`,
    );
  }
  return fee;
}

function readInstructions({ staticAccounts, instructions }: SwapMessage): Instruction[] {
  return instructions.map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
    program: staticAccounts[programAddressIndex],
    accounts: accountIndices.map((index) => staticAccounts[index]),
    data: Buffer.from(data),
  }));
}

function isOwnTransfer({ accounts, data }: Instruction, rules: SwapRules): boolean {
  const to = accounts[1];
  if (data.length < transferLength || data.readUInt32LE() !== systemTransfer || to === undefined)
    return false;
  return to === rules.wrappedSolAccount || rules.tipAccounts.has(to);
}

/** Lamports that go to tip accounts: of the System Program's instructions only transfers have come this far. */
function tipOf(instructions: readonly Instruction[], rules: SwapRules): bigint {
  return instructions
    .filter(({ program, accounts }) => program === systemProgram && rules.tipAccounts.has(accounts[1] ?? ''))
    .reduce((sum, { data }) => sum + data.readBigUInt64LE(4), 0n);
}

function isUnwrapping({ accounts, data }: Instruction, { owner }: SwapRules): boolean {
  return data[0] === syncNative || (data[0] === closeAccount && accounts[1] === owner);
}

// Rounded up as the runtime does (Agave's prioritization fee). Without a limit no transaction gets more than the most.
function priorityFee(instructions: readonly Instruction[]): bigint {
  let units = maxComputeUnits;
  let microLamportsPerUnit = 0n;
  for (const { program, data } of instructions) {
    if (program !== computeBudgetProgram) continue;
    if (data[0] === setComputeUnitLimit) units = readNumber(data, 4);
    if (data[0] === setComputeUnitPrice) microLamportsPerUnit = readNumber(data, 8);
  }
  if (units > maxComputeUnits) units = maxComputeUnits;
  return (units * microLamportsPerUnit + 999_999n) / 1_000_000n;
}

function readNumber(data: Buffer, bytes: 4 | 8): bigint {
  if (data.length < 1 + bytes) throw refusal('has a compute budget that cannot be read');
  return bytes === 4 ? BigInt(data.readUInt32LE(1)) : data.readBigUInt64LE(1);
}

function refusal(what: string): KervanError {
  return new KervanError('SIMULATION_FAILED', {
    reason: `the swap service composed a transaction that ${what}`,
  });
}
