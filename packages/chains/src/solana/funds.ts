import { KervanError, NATIVE } from '@kervan/contract';
import { formatUnits } from '@kervan/domain';
import type { SwapRequest, TokenInfo } from '../port.ts';

/** What a wallet holds before a swap. */
export interface Holdings {
  readonly lamports: bigint;
  /** Everything in the wallet's account for wrapped SOL, its deposit included; 0 where there is none. */
  readonly wrappedSolLamports: bigint;
  readonly tokenUnits: bigint;
  readonly hasTokenAccount: boolean;
}

/** Lamports a transaction with one signature costs before its priority fee. */
export const baseFeeLamports = 5_000n;
/** What a wallet must hold to exist: (128 + 0) × 3,480 × 2. Less than this can only be nothing at all. */
export const walletDepositLamports = 890_880n;
/**
 * Deposit of a token account of 165 bytes: (128 + 165) × 3,480 × 2. Extensions of Token-2022 may need more;
 * simulation finds that.
 */
export const tokenAccountDepositLamports = 2_039_280n;

/** The least that an account without data may hold: 128 × 3,480 × 2. */
const emptyAccountLamports = 890_880n;

/** What a buy must leave of a wallet's SOL at most. */
export function buyReserveLamports(extraLamports: bigint): bigint {
  return baseFeeLamports + extraLamports + 2n * tokenAccountDepositLamports + emptyAccountLamports;
}

/**
 * Throws BALANCE_INSUFFICIENT unless the wallet can pay for the swap. Besides the amount that takes the fee, the
 * priority fee and tip (`extraLamports`), the
 * deposit of the token account if a buy has to open it, and for a moment the deposit of the account that SOL is
 * wrapped in.
 */
export function assertFunds(
  request: SwapRequest,
  holdings: Holdings,
  token: TokenInfo,
  extraLamports: bigint,
): void {
  const isBuy = request.action === 'buy';
  if (!isBuy && holdings.tokenUnits < request.amountInUnits) {
    throw insufficient(holdings.tokenUnits, request.amountInUnits, token);
  }
  const opened = isBuy && !holdings.hasTokenAccount ? 2n : 1n;
  const needed =
    (isBuy ? request.amountInUnits : 0n) +
    baseFeeLamports +
    extraLamports +
    opened * tokenAccountDepositLamports;
  if (holdings.lamports < needed) throw insufficient(holdings.lamports, needed, NATIVE.solana);
}

export function insufficient(
  available: bigint,
  needed: bigint,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): KervanError {
  return new KervanError('BALANCE_INSUFFICIENT', {
    available: formatUnits(available, decimals),
    needed: formatUnits(needed, decimals),
    symbol,
  });
}
