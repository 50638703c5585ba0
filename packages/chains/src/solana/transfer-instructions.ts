import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { createNoopSigner, type Address, type Instruction } from '@solana/kit';
import type { Mint } from './mints.ts';

export function nativeTransfer(owner: Address, recipient: Address, lamports: bigint): Instruction {
  return getTransferSolInstruction({
    source: createNoopSigner(owner),
    destination: recipient,
    amount: lamports,
  });
}

/** Opens the recipient's associated account, at the owner's expense, unless it is open. */
export function openAccount(owner: Address, recipient: Address, account: Address, mint: Mint): Instruction {
  return getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(owner),
    ata: account,
    owner: recipient,
    mint: mint.address,
    tokenProgram: mint.program,
  });
}

export function tokenTransfer(
  owner: Address,
  from: Address,
  to: Address,
  mint: Mint,
  units: bigint,
): Instruction {
  return getTransferCheckedInstruction(
    {
      source: from,
      mint: mint.address,
      destination: to,
      authority: createNoopSigner(owner),
      amount: units,
      decimals: mint.decimals,
    },
    { programAddress: mint.program },
  );
}

/** Closes an empty token account; its deposit goes back to the owner. */
export function closeAccount(owner: Address, account: Address, mint: Mint): Instruction {
  return getCloseAccountInstruction(
    { account, destination: owner, owner: createNoopSigner(owner) },
    { programAddress: mint.program },
  );
}
