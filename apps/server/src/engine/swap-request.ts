import type { GasChoice, SwapRequest } from '@kervan/chains';
import type { DexVersion } from '@kervan/contract';
import type { TradeRow } from '@kervan/database';
import { readGasChoice } from './gas-choice.ts';

/** A swap's terms as they are kept here: null says that nothing was chosen. */
type SwapTerms = Omit<SwapRequest, 'dexVersion' | 'gas'> & {
  readonly dexVersion: DexVersion | null;
  readonly gas: GasChoice | null;
};

/** What a chain is asked for: what was not chosen is left out. */
export function swapRequest({ dexVersion, gas, ...terms }: SwapTerms): SwapRequest {
  return { ...terms, ...(dexVersion !== null && { dexVersion }), ...(gas !== null && { gas }) };
}

export function swapRequestOf(trade: TradeRow): SwapRequest {
  return swapRequest({
    owner: trade.wallet_address,
    action: trade.action,
    tokenAddress: trade.token_address,
    amountInUnits: trade.amount_in_units,
    slippageBps: trade.slippage_bps,
    dexVersion: trade.dex_version,
    gas: readGasChoice(trade.gas_choice) ?? null,
  });
}
