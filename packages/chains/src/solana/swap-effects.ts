import { KervanError } from '@kervan/contract';
import type { Address } from '@solana/kit';
import type { SwapRequest } from '../port.ts';
import { baseFeeLamports, tokenAccountDepositLamports, type Holdings } from './funds.ts';
import { readTokenAmount } from './token-accounts.ts';

/** What the wallet's two accounts are after a simulated swap. */
export interface Effects {
  readonly lamports: bigint;
  readonly tokenUnits: bigint;
  /** Whether the token account, if there is one, is still the wallet's alone: its owner, and nobody's to spend from. */
  readonly isTokenAccountSafe: boolean;
}

interface SimulatedAccount {
  readonly lamports: bigint;
  readonly data: readonly [string, 'base64'];
}

/** Layout of a token account (SPL Token and Token-2022): owner at byte 32, then the tag of an optional delegate at 72. */
const ownerSlice = { offset: 32, length: 32 } as const;
const delegateTagOffset = 72;
const amountSlice = { offset: 64, length: 8 } as const;

export function readEffects(
  wallet: SimulatedAccount | null | undefined,
  token: SimulatedAccount | null | undefined,
  ownerBytes: Uint8Array,
): Effects {
  const data = token ? Buffer.from(token.data[0], 'base64') : undefined;
  const slice = (part: { offset: number; length: number }) =>
    data?.subarray(part.offset, part.offset + part.length) ?? Buffer.alloc(0);
  return {
    lamports: wallet?.lamports ?? 0n,
    tokenUnits: readTokenAmount(slice(amountSlice).toString('base64')),
    isTokenAccountSafe:
      data === undefined ||
      (Buffer.from(ownerBytes).equals(slice(ownerSlice)) && data.readUInt32LE(delegateTagOffset) === 0),
  };
}

/**
 * Whether a simulated swap does what was asked and no more: it takes at most the amount, its fees and the deposit of an
 * account it opens, brings at least the minimum, and leaves the token account the wallet's own. The transaction was
 * composed by somebody else, so that it succeeds says nothing yet about whom it is good for.
 */
export function isAsAsked(
  request: SwapRequest,
  minimumOutUnits: bigint,
  before: Holdings,
  after: Effects,
  priorityFeeLamports: bigint,
): boolean {
  const fees = baseFeeLamports + priorityFeeLamports;
  const deposit = before.hasTokenAccount ? 0n : tokenAccountDepositLamports;
  const isBuy = request.action === 'buy';
  const leastLamports = isBuy
    ? before.lamports - request.amountInUnits - fees - deposit
    : before.lamports + minimumOutUnits - fees;
  const leastTokens = isBuy ? before.tokenUnits + minimumOutUnits : before.tokenUnits - request.amountInUnits;
  return after.isTokenAccountSafe && after.lamports >= leastLamports && after.tokenUnits >= leastTokens;
}

export function notAsAsked(owner: Address): KervanError {
  return new KervanError('SIMULATION_FAILED', {
    reason: `the swap service composed a transaction that takes more from ${owner} than was asked for`,
  });
}
