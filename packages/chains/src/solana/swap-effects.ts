import { KervanError } from '@kervan/contract';
import type { Address } from '@solana/kit';
import type { SwapRequest } from '../port.ts';
import { baseFeeLamports, tokenAccountDepositLamports, type Holdings } from './funds.ts';
import type { SimulatedAccount } from './simulate.ts';
import { readTokenAmount } from './token-accounts.ts';

/** What the wallet's accounts are after a simulated swap. */
export interface Effects {
  readonly lamports: bigint;
  /** Everything in the wallet's account for wrapped SOL, as long as it is the wallet's alone. */
  readonly wrappedSolLamports: bigint;
  readonly tokenUnits: bigint;
  /** Whether the token account, if there is one, is still the wallet's alone. */
  readonly isTokenAccountSafe: boolean;
}

/** Layout of a token account (SPL Token and Token-2022), with the tags of an optional delegate and close authority. */
const ownerSlice = { offset: 32, length: 32 } as const;
const amountSlice = { offset: 64, length: 8 } as const;
const delegateTagOffset = 72;
const closeAuthorityTagOffset = 129;
const tokenAccountLength = 165;

/** Reads the wallet, its token account and its account for wrapped SOL, in this order, as simulation answers them. */
export function readEffects(
  [wallet, token, wrappedSol]: readonly (SimulatedAccount | null)[],
  ownerBytes: Uint8Array,
): Effects {
  const tokenData = dataOf(token);
  return {
    lamports: wallet?.lamports ?? 0n,
    wrappedSolLamports: isOwnersAlone(dataOf(wrappedSol), ownerBytes) ? (wrappedSol?.lamports ?? 0n) : 0n,
    tokenUnits: readTokenAmount(slice(tokenData, amountSlice).toString('base64')),
    isTokenAccountSafe: isOwnersAlone(tokenData, ownerBytes),
  };
}

// A closed account may be listed without lamports and data.
function dataOf(account: SimulatedAccount | null | undefined): Buffer | undefined {
  return account && account.lamports > 0n ? Buffer.from(account.data[0], 'base64') : undefined;
}

/** Belongs to the owner, and is nobody else's to spend from or to close. */
function isOwnersAlone(data: Buffer | undefined, ownerBytes: Uint8Array): boolean {
  if (data === undefined) return true;
  return (
    data.length >= tokenAccountLength &&
    slice(data, ownerSlice).equals(ownerBytes) &&
    data.readUInt32LE(delegateTagOffset) === 0 &&
    data.readUInt32LE(closeAuthorityTagOffset) === 0
  );
}

function slice(data: Buffer | undefined, { offset, length }: { offset: number; length: number }): Buffer {
  return data?.subarray(offset, offset + length) ?? Buffer.alloc(0);
}

/**
 * Whether a simulated swap does what was asked and no more: it takes at most the amount, its fees (priority fee and tip
 * are `extraLamports`) and the deposit of an account it opens, brings at least the minimum, and leaves the token account the wallet's own. SOL is what the wallet
 * holds with and without wrapping, so that closing an account of it pays for nothing. The transaction was composed by
 * somebody else, so that it succeeds says nothing yet about whom it is good for.
 */
export function isAsAsked(
  request: SwapRequest,
  minimumOutUnits: bigint,
  before: Holdings,
  after: Effects,
  extraLamports: bigint,
): boolean {
  const fees = baseFeeLamports + extraLamports;
  const deposit = before.hasTokenAccount ? 0n : tokenAccountDepositLamports;
  const isBuy = request.action === 'buy';
  const lamportsBefore = before.lamports + before.wrappedSolLamports;
  const leastLamports = isBuy
    ? lamportsBefore - request.amountInUnits - fees - deposit
    : lamportsBefore + minimumOutUnits - fees;
  const leastTokens = isBuy ? before.tokenUnits + minimumOutUnits : before.tokenUnits - request.amountInUnits;
  const lamports = after.lamports + after.wrappedSolLamports;
  return after.isTokenAccountSafe && lamports >= leastLamports && after.tokenUnits >= leastTokens;
}

export function notAsAsked(owner: Address): KervanError {
  return new KervanError('SIMULATION_FAILED', {
    reason: `the swap service composed a transaction that takes more from ${owner} than was asked for`,
  });
}
