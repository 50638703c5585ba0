import { AccountRole, getProgramDerivedAddress, type AccountMeta, type Instruction } from '@solana/kit';
import { bytesOf, type Address } from './addresses.ts';
import type { StoredAccount } from './runtime.ts';

// The off-chain half of programs/amm.c: addresses, layouts and the formula must agree with it.

const magic = 'KERVPOOL';
const poolBytes = 137;
const tokenAmountOffset = 64;

export interface Pool {
  address: Address;
  bump: number;
  mintA: Address;
  mintB: Address;
  vaultA: Address;
  vaultB: Address;
}

/** A pool crossed in one direction. */
export interface Hop {
  pool: Pool;
  inputMint: Address;
}

/** The pool's address: seeds "pool", mint A, mint B. */
export function findPoolAddress(
  program: Address,
  mintA: Address,
  mintB: Address,
): Promise<readonly [Address, number]> {
  return getProgramDerivedAddress({
    programAddress: program,
    seeds: ['pool', bytesOf(mintA), bytesOf(mintB)],
  });
}

/** The pool's account as genesis writes it. */
export function poolAccount(program: Address, pool: Pool, lamports: bigint): StoredAccount {
  const data = Buffer.alloc(poolBytes);
  data.write(magic, 'latin1');
  [pool.mintA, pool.mintB, pool.vaultA, pool.vaultB].forEach((key, index) =>
    data.set(bytesOf(key), 8 + index * 32),
  );
  data.writeUInt8(pool.bump, poolBytes - 1);
  return { lamports, owner: program, data, executable: false };
}

/** The fee of a swap, 0.3 % of the input rounded up, in the input's base units. */
export function swapFee(amountIn: bigint): bigint {
  return (amountIn * 3n + 999n) / 1000n;
}

/** The program takes no greater amount, in or out. */
export const maxSwapAmount = 1n << 60n;

/** Base units a swap of `amountIn` yields: out = y * net / (x + net), rounded down, net = input less the fee. */
export function swapOutput(reserveIn: bigint, reserveOut: bigint, amountIn: bigint): bigint {
  const net = amountIn - swapFee(amountIn);
  return (reserveOut * net) / (reserveIn + net);
}

export function outputMint(hop: Hop): Address {
  return hop.inputMint === hop.pool.mintA ? hop.pool.mintB : hop.pool.mintA;
}

/** The vaults a hop pays into and is paid from. */
export function hopVaults(hop: Hop): { vaultIn: Address; vaultOut: Address } {
  const { vaultA, vaultB, mintA } = hop.pool;
  return hop.inputMint === mintA
    ? { vaultIn: vaultA, vaultOut: vaultB }
    : { vaultIn: vaultB, vaultOut: vaultA };
}

/** The amount in an SPL token account's data. */
export function tokenAmount(data: Uint8Array): bigint {
  return Buffer.from(data.buffer, data.byteOffset, data.length).readBigUInt64LE(tokenAmountOffset);
}

/** One swap instruction over the hops in order; fails with code 6001 below `minimumOut` base units. */
export function swapInstruction(options: {
  program: Address;
  tokenProgram: Address;
  user: Address;
  userInput: Address;
  userOutput: Address;
  hops: readonly Hop[];
  amountIn: bigint;
  minimumOut: bigint;
}): Instruction {
  const data = Buffer.alloc(16);
  data.writeBigUInt64LE(options.amountIn, 0);
  data.writeBigUInt64LE(options.minimumOut, 8);
  const accounts: AccountMeta[] = [
    { address: options.user, role: AccountRole.READONLY_SIGNER },
    { address: options.userInput, role: AccountRole.WRITABLE },
    { address: options.userOutput, role: AccountRole.WRITABLE },
    { address: options.tokenProgram, role: AccountRole.READONLY },
  ];
  for (const hop of options.hops) {
    const { vaultIn, vaultOut } = hopVaults(hop);
    accounts.push(
      { address: hop.pool.address, role: AccountRole.READONLY },
      { address: vaultIn, role: AccountRole.WRITABLE },
      { address: vaultOut, role: AccountRole.WRITABLE },
    );
  }
  return { programAddress: options.program, accounts, data };
}
