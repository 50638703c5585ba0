import { KervanError } from '@kervan/contract';
import type { Bundles, ChainPort, PreparedTransaction, Quote } from '@kervan/chains';
import { createSemaphore } from '../../lib/semaphore.ts';
import { ASKED_AT_ONCE, toRefusal, type TradeDraft } from './drafts.ts';

/** What the chain says of one leg before it is made. */
export interface Forecast {
  readonly quote: Quote | null;
  readonly prepared: PreparedTransaction | null;
  readonly refusal: KervanError | null;
  /** Whether it would land together with others or not at all. */
  readonly isAtomic: boolean;
}

type Forecasts = Map<TradeDraft, Forecast>;

/** Prepares and simulates every leg as it would be made; nothing is signed. */
export async function forecastAll(
  port: ChainPort,
  drafts: readonly TradeDraft[],
  signal: AbortSignal,
): Promise<Forecasts> {
  const bundled = port.bundles ? await forecastBundle(port, port.bundles, drafts, signal) : new Map();
  const inTurn = createSemaphore(ASKED_AT_ONCE);
  const alone = drafts.filter((draft) => !bundled.has(draft));
  await Promise.all(
    alone.map(async (draft) => bundled.set(draft, await inTurn(() => forecastAlone(port, draft, signal)))),
  );
  return bundled;
}

/** As the executor makes a bundle: without the legs that would fail, as long as two are left. */
async function forecastBundle(
  port: ChainPort,
  bundles: Bundles,
  drafts: readonly TradeDraft[],
  signal: AbortSignal,
): Promise<Forecasts> {
  const forecasts: Forecasts = new Map();
  for (let rest = drafts; rest.length > 1; rest = rest.filter((draft) => !forecasts.has(draft))) {
    const answers = await bundles
      .prepare(
        rest.map(({ request }) => request),
        signal,
      )
      .catch((error: unknown) => rest.map(() => toRefusal(error, port)));
    if (!answers) break;
    const isWhole = !answers.some((answer) => answer instanceof KervanError);
    for (const [index, draft] of rest.entries()) {
      const answer = answers[index];
      if (answer instanceof KervanError)
        forecasts.set(draft, { quote: null, prepared: null, refusal: answer, isAtomic: false });
      else if (answer && isWhole)
        forecasts.set(draft, { quote: answer.quote, prepared: answer, refusal: null, isAtomic: true });
    }
  }
  return forecasts;
}

async function forecastAlone(
  port: ChainPort,
  { request }: TradeDraft,
  signal: AbortSignal,
): Promise<Forecast> {
  // A prepared approval has no quote, and a quote says more of the price.
  const [quoted, prepared] = await Promise.allSettled([
    port.quote(request, signal),
    port.prepareSwap(request, signal),
  ]);
  return {
    quote: quoted.status === 'fulfilled' ? quoted.value : null,
    prepared: prepared.status === 'fulfilled' ? prepared.value : null,
    refusal: prepared.status === 'rejected' ? toRefusal(prepared.reason, port) : null,
    isAtomic: false,
  };
}
