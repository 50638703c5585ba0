import { isApiError } from '../../lib/api-error.ts';

/** How many bots and open trades keep a wallet; undefined if that is not why it was not deleted. */
export function usersOf(failure: unknown): { bots: number; trades: number } | undefined {
  if (!isApiError(failure, 'WALLET_IN_USE')) return undefined;
  const { bots, trades } = failure.context;
  return typeof bots === 'number' && typeof trades === 'number' ? { bots, trades } : undefined;
}
