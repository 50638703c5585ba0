import { KervanError, NATIVE } from '@kervan/contract';
import { networkName, type ChainPort, type SwapRequest, type TokenInfo } from '@kervan/chains';
import { formatUnits, percentOfBalance, type TradeLimits } from '@kervan/domain';
import { limitValue } from '../../engine/limit-value.ts';
import { swapRequest } from '../../engine/swap-request.ts';
import { createSemaphore } from '../../lib/semaphore.ts';
import type { Order } from './order.ts';
import type { Party } from './parties.ts';

/** What a party would trade. */
export interface TradeDraft {
  readonly party: Party;
  readonly request: SwapRequest;
  /** What it weighs against the limits. */
  readonly limitValueUnits: bigint;
}

/** Or why it can't. */
export type Draft = TradeDraft | { readonly party: Party; readonly refusal: KervanError };

export function isTradeDraft(draft: Draft): draft is TradeDraft {
  return 'request' in draft;
}

/** Questions about single wallets that are asked of a node at a time. */
export const ASKED_AT_ONCE = 16;

/** Draws each party's amount from its balance; all balances are read in one question. */
export async function draftTrades(
  port: ChainPort,
  order: Order,
  parties: readonly Party[],
  token: TokenInfo,
  limits: TradeLimits,
  signal: AbortSignal,
): Promise<Draft[]> {
  const { action, percent } = order;
  const addresses = parties.map(({ address }) => address);
  const [balances, keepUnits] =
    action === 'buy'
      ? await Promise.all([port.balances(addresses, signal), port.buyReserve(order.gas ?? undefined, signal)])
      : [await port.tokenBalances(addresses, token.address, signal), 0n];
  const unit = action === 'buy' ? NATIVE[order.chain] : token;
  const inTurn = createSemaphore(ASKED_AT_ONCE);

  return await Promise.all(
    parties.map(async (party): Promise<Draft> => {
      const balanceUnits = balances.get(party.address) ?? 0n;
      const amountInUnits = percentOfBalance(balanceUnits, keepUnits, percent);
      if (amountInUnits === 0n) return { party, refusal: tooLittle(balanceUnits, keepUnits, percent, unit) };
      const { slippageBps, dexVersion, gas } = order;
      const terms = { action, amountInUnits, slippageBps, dexVersion, gas };
      const request = swapRequest({ ...terms, owner: party.address, tokenAddress: token.address });
      try {
        const limitValueUnits = await inTurn(() => limitValue(port, request, limits, signal));
        return { party, request, limitValueUnits };
      } catch (error) {
        return { party, refusal: toRefusal(error, port) };
      }
    }),
  );
}

/** An adapter's error as it is told: whatever is no refusal means that the node could not be asked. */
export function toRefusal(error: unknown, port: Pick<ChainPort, 'chain' | 'network'>): KervanError {
  if (error instanceof KervanError) return error;
  return new KervanError('NETWORK_UNREACHABLE', { network: networkName(port) }, { cause: error });
}

function tooLittle(
  balanceUnits: bigint,
  keepUnits: bigint,
  percent: number,
  { symbol, decimals }: { readonly symbol: string; readonly decimals: number },
): KervanError {
  // The least of which the percentage is a unit.
  const least = keepUnits + (BigInt(percent) + 99n) / BigInt(percent);
  return new KervanError('BALANCE_INSUFFICIENT', {
    available: formatUnits(balanceUnits, decimals),
    needed: formatUnits(least, decimals),
    symbol,
  });
}
