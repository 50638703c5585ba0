import {
  FAST_SWAP_ANSWER_MS,
  GWEI_DECIMALS,
  KervanError,
  NATIVE,
  type FastSwapPreview,
  type FastSwapPreviewLeg,
  type Language,
} from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import { formatUnits } from '@kervan/domain';
import { isHalted } from '../../engine/halt.ts';
import { findLimitRefusals } from '../../engine/plan-trades.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { draftOrder, toIntent, type DraftDependencies, type DraftedOrder } from './draft-order.ts';
import { isTradeDraft, type Draft, type TradeDraft } from './drafts.ts';
import { forecastAll, type Forecast } from './forecast.ts';
import type { Order } from './order.ts';
import { describeError } from './to-result.ts';

/** Everything that a swap does up to the signature, and nothing after it. */
export async function previewOrder(
  deps: DraftDependencies,
  userId: string,
  order: Order,
  language: Language,
): Promise<FastSwapPreview> {
  const signal = AbortSignal.timeout(FAST_SWAP_ANSWER_MS);
  const drafted = await draftOrder(deps, userId, order, signal);
  const { port, token, drafts } = drafted;
  const wanted = drafts.filter(isTradeDraft);
  const [forecasts, refusals, gasPrice] = await Promise.all([
    forecastAll(port, wanted, signal),
    refusalsOfPlanning(deps, userId, order, drafted, wanted),
    gasPriceOf(port, order, signal),
  ]);
  return {
    chain: port.chain,
    network: port.network,
    mode: order.action,
    tokenAddress: token.address,
    tokenSymbol: token.symbol,
    slippageBps: order.slippageBps,
    gasPrice: gasPrice === null ? null : formatUnits(gasPrice, GWEI_DECIMALS),
    legs: drafts.map((draft) => {
      const forecast = isTradeDraft(draft) ? forecasts.get(draft) : undefined;
      const refusal =
        refusals.get(draft) ?? ('refusal' in draft ? draft.refusal : (forecast?.refusal ?? null));
      return toLeg(drafted, draft, forecast, refusal, language);
    }),
  };
}

/** What would not even be planned: for a limit, or because trading is halted. */
async function refusalsOfPlanning(
  { db }: Pick<DraftDependencies, 'db'>,
  userId: string,
  order: Order,
  drafted: DraftedOrder,
  drafts: readonly TradeDraft[],
): Promise<Map<Draft, KervanError>> {
  if (await isHalted(db)) {
    const halted = new KervanError('TRADING_HALTED');
    return new Map(drafts.map((draft) => [draft, halted]));
  }
  const id = uuidv7();
  const intents = drafts.map((draft) => toIntent(userId, id, undefined, order, drafted, draft));
  const refusals = await db.transaction().execute((trx) => findLimitRefusals(trx, intents, new Date()));
  return new Map(
    drafts.flatMap((draft, index) => {
      const intent = intents[index];
      const refusal = intent && refusals.get(intent);
      return refusal ? [[draft, refusal] as const] : [];
    }),
  );
}

async function gasPriceOf(port: ChainPort, { gas }: Order, signal: AbortSignal): Promise<bigint | null> {
  if (typeof gas === 'bigint') return gas;
  const prices = await port.gasPrices?.(signal);
  return prices && gas ? prices[gas] : null;
}

function toLeg(
  { port, token }: DraftedOrder,
  draft: Draft,
  forecast: Forecast | undefined,
  refusal: KervanError | null,
  language: Language,
): FastSwapPreviewLeg {
  const { walletId, walletName, address } = draft.party;
  const { decimals: nativeDecimals } = NATIVE[port.chain];
  const request = isTradeDraft(draft) ? draft.request : undefined;
  const [inDecimals, outDecimals] =
    request?.action === 'buy' ? [nativeDecimals, token.decimals] : [token.decimals, nativeDecimals];
  const amount = (units: bigint | undefined, decimals: number) =>
    units === undefined ? null : formatUnits(units, decimals);
  const quote = forecast?.quote;
  const prepared = forecast?.prepared;
  return {
    walletId,
    walletName,
    address,
    isAtomic: forecast?.isAtomic ?? false,
    needsApproval: prepared?.purpose === 'approval',
    amountIn: amount(request?.amountInUnits, inDecimals),
    expectedOut: amount(quote?.expectedOutUnits, outDecimals),
    minimumOut: amount(quote?.minimumOutUnits, outDecimals),
    fee: amount(prepared?.feeUnits, nativeDecimals),
    tip: amount(prepared?.tipUnits, nativeDecimals),
    rent: amount(prepared?.rentUnits, nativeDecimals),
    priceImpactBps: quote?.priceImpactBps ?? null,
    error: refusal && describeError(refusal, language),
  };
}
