import { KervanError } from '@kervan/contract';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransactionMessage,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  associatedTokenProgram,
  computeBudgetProgram,
  jitoTipAccounts,
  jupiterProgram,
  systemProgram,
  token2022Program,
  tokenProgram,
} from './addresses.ts';
import { createKey } from './keys.ts';
import { checkInstructions } from './swap-instructions.ts';
import type { SwapMessage } from './swap-transaction.ts';

const fresh = (): Address => address(createKey().address);
const [owner, wrappedSolAccount, tokenAccount, stranger] = [fresh(), fresh(), fresh(), fresh()];
const tipAccount = address([...jitoTipAccounts][0] ?? '');
const noTip = { tipLamports: 0n, tipAccounts: jitoTipAccounts };

function instruction(program: Address, data: number[], accounts: Address[] = []): Instruction {
  return {
    programAddress: program,
    data: Uint8Array.from(data),
    accounts: accounts.map((each) => ({
      address: each,
      role: each === owner ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE,
    })),
  };
}

function number(value: bigint, bytes: 4 | 8): number[] {
  const data = Buffer.alloc(8);
  data.writeBigUInt64LE(value);
  return [...data.subarray(0, bytes)];
}

const limit = (units: bigint) => instruction(computeBudgetProgram, [2, ...number(units, 4)]);
const price = (microLamports: bigint) => instruction(computeBudgetProgram, [3, ...number(microLamports, 8)]);
const transfer = (to: Address, tag = 2n) =>
  instruction(systemProgram, [...number(tag, 4), ...number(7n, 8)], [owner, to]);
const token = (tag: number, accounts: Address[], program: Address = tokenProgram) =>
  instruction(program, [tag, ...number(7n, 8)], accounts);
const swap = instruction(jupiterProgram, [1, 2, 3], [owner, tokenAccount]);

function messageOf(instructions: Instruction[]): SwapMessage {
  return compileTransactionMessage(
    pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(owner, m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash('EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'), lastValidBlockHeight: 9n },
          m,
        ),
      (m) => appendTransactionMessageInstructions(instructions, m),
    ),
  );
}

function feeOf(...instructions: Instruction[]): bigint {
  return feeWithTip(0n, ...instructions);
}

function feeWithTip(tipLamports: bigint, ...instructions: Instruction[]): bigint {
  return checkInstructions(messageOf(instructions), {
    owner,
    wrappedSolAccount,
    swapPrograms: new Set([jupiterProgram]),
    maxPriorityFeeLamports: 1_000_000n,
    ...noTip,
    tipLamports,
  });
}

describe('checkInstructions', () => {
  it('lets a swap through that wraps, swaps and unwraps, and answers what it pays for priority', () => {
    const fee = feeWithTip(
      7n,
      limit(200_000n),
      price(12_345n),
      instruction(associatedTokenProgram, [1], [owner, wrappedSolAccount, owner]),
      instruction(associatedTokenProgram, [], [owner, tokenAccount, owner]),
      transfer(wrappedSolAccount),
      token(17, [wrappedSolAccount]),
      swap,
      token(9, [wrappedSolAccount, owner, owner]),
      transfer(tipAccount),
    );
    expect(fee).toBe(2_469n);
  });

  it('counts the priority fee as the chain does: rounded up, and of the most units where no limit is set', () => {
    expect(feeOf(limit(3n), price(1n), swap)).toBe(1n);
    expect(feeOf(price(1_000n), swap)).toBe(1_400n);
    expect(feeOf(limit(4_000_000_000n), price(1_000n), swap)).toBe(1_400n);
    expect(feeOf(limit(200_000n), swap)).toBe(0n);
  });

  it('takes a priority fee at the cap and refuses one lamport more', () => {
    expect(feeOf(limit(1_000_000n), price(1_000_000n), swap)).toBe(1_000_000n);
    expect(() => feeOf(limit(1_000_000n), price(1_000_001n), swap)).toThrow(/priority fee of 1000001/);
    expect(() => feeOf(price(2n ** 64n - 1n), swap)).toThrow(/priority fee/);
    expect(() => feeOf(instruction(computeBudgetProgram, [3, 1]), swap)).toThrow(/compute budget/);
  });

  it('takes exactly the tip that was meant: none, less or more is refused', () => {
    expect(feeWithTip(14n, transfer(tipAccount), transfer(tipAccount), swap)).toBeGreaterThan(-1n);
    for (const tip of [0n, 6n, 8n])
      expect(() => feeWithTip(tip, transfer(tipAccount), swap)).toThrow(`tips 7 lamports instead of ${tip}`);
    expect(() => feeWithTip(7n, swap)).toThrow('tips 0 lamports');
  });

  it.each<[string, Instruction]>([
    ['a program that no swap needs', instruction(stranger, [1], [owner])],
    ['SOL sent to a stranger', transfer(stranger)],
    ['SOL sent to somebody’s token account', transfer(tokenAccount)],
    ['the wallet assigned to a program', transfer(wrappedSolAccount, 1n)],
    ['a nonce advanced', transfer(wrappedSolAccount, 4n)],
    ['a system instruction cut short', instruction(systemProgram, [2], [owner, wrappedSolAccount])],
    ['a tip cut short', instruction(systemProgram, [...number(2n, 4), 7], [owner, tipAccount])],
    ['a token transfer', token(3, [tokenAccount, stranger, owner])],
    ['an approval', token(4, [tokenAccount, stranger, owner])],
    ['a change of authority', token(6, [tokenAccount, owner])],
    ['a burn', token(8, [tokenAccount, stranger, owner])],
    ['a checked transfer', token(12, [tokenAccount, stranger, stranger, owner], token2022Program)],
    ['a checked approval', token(13, [tokenAccount, stranger, stranger, owner], token2022Program)],
    ['an account closed to a stranger', token(9, [tokenAccount, stranger, owner])],
    ['an account closed to somebody whom only a lookup table names', token(9, [tokenAccount])],
    ['nested tokens recovered', instruction(associatedTokenProgram, [2], [tokenAccount])],
    ['an unknown compute budget instruction', instruction(computeBudgetProgram, [0, ...number(9n, 8)])],
  ])('refuses %s', (_case, unwanted) => {
    expect(() => feeOf(unwanted, swap)).toThrow(KervanError);
    expect(() => feeOf(unwanted, swap)).toThrow(/would fail on the chain: the swap service composed/);
  });

  it('refuses a program or a payee that only a lookup table names', () => {
    const message = messageOf([transfer(wrappedSolAccount), swap]);
    const [first, ...others] = message.instructions;
    if (!first) throw new Error('unreachable: two instructions went in');
    const check = (changed: object) => () =>
      checkInstructions(
        { ...message, instructions: [{ ...first, ...changed }, ...others] },
        {
          owner,
          wrappedSolAccount,
          swapPrograms: new Set([jupiterProgram]),
          maxPriorityFeeLamports: 0n,
          ...noTip,
        },
      );
    expect(check({})).not.toThrow();
    expect(check({ accountIndices: [0, 200] })).toThrow(/more than a swap needs/);
    expect(check({ programAddressIndex: 200 })).toThrow(/lookup table/);
  });
});
