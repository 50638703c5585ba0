import { KervanError } from '@kervan/contract';
import { minimumAfterSlippage } from '@kervan/domain';
import { z } from 'zod';
import { unreachable, type HttpAnswer, type HttpClient } from './http.ts';

/** A u64, which has no more than 20 digits. */
const unitsText = z.string().regex(/^\d{1,20}$/);

/** Loose: the quote goes back to Jupiter with every field that it came with. */
const quoteSchema = z.looseObject({
  inputMint: z.string(),
  outputMint: z.string(),
  inAmount: unitsText,
  outAmount: unitsText,
  otherAmountThreshold: unitsText,
  priceImpactPct: z.string().nullish(),
});
export type JupiterQuote = z.infer<typeof quoteSchema>;

const swapSchema = z.object({
  /** Base64 of an unsigned versioned transaction. */
  swapTransaction: z.base64(),
});
export type JupiterSwap = z.infer<typeof swapSchema>;

const refusalSchema = z.object({ error: z.string(), errorCode: z.string().optional() });

export interface PriorityFee {
  readonly maxLamports: number;
  readonly level: 'medium' | 'high' | 'veryHigh';
}

export interface JupiterOptions {
  /** Such as https://api.jup.ag; /swap/v1 is added. */
  readonly url: URL;
  readonly apiKey: string | undefined;
  readonly priorityFee: PriorityFee;
  readonly http: HttpClient;
}

interface QuoteQuery {
  readonly inputMint: string;
  readonly outputMint: string;
  readonly amountUnits: bigint;
  readonly slippageBps: number;
}

/** Quotes swaps and composes them; what it says and composes is checked by whoever asks. */
export interface JupiterClient {
  quote(query: QuoteQuery, signal?: AbortSignal): Promise<JupiterQuote>;
  swap(quote: JupiterQuote, owner: string, pays: SwapPays, signal?: AbortSignal): Promise<JupiterSwap>;
}

/** What a swap pays to be taken soon: the network's priority fee, or a block engine's tip (0 for none of its own). */
export type SwapPays = 'priority fee' | { readonly tipLamports: bigint };

const service = 'Jupiter';

/**
 * Client of Jupiter's Swap API v1 (https://dev.jup.ag/docs/swap-api). What it refuses for want of a route is
 * ROUTE_UNAVAILABLE; everything else that is no proper answer is NETWORK_UNREACHABLE.
 */
export function createJupiterClient(options: JupiterOptions): JupiterClient {
  const headers: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' };
  if (options.apiKey !== undefined) headers['x-api-key'] = options.apiKey;
  const base = options.url.href.replace(/\/$/, '');

  return {
    async quote(query, signal) {
      const url = new URL(`${base}/swap/v1/quote`);
      url.search = new URLSearchParams({
        inputMint: query.inputMint,
        outputMint: query.outputMint,
        amount: String(query.amountUnits),
        slippageBps: String(query.slippageBps),
        swapMode: 'ExactIn',
      }).toString();
      const quote = read(quoteSchema, await options.http(url, { headers }, signal));
      const isAsked =
        quote.inputMint === query.inputMint &&
        quote.outputMint === query.outputMint &&
        BigInt(quote.inAmount) === query.amountUnits;
      if (!isAsked) throw unreachable(service, new Error('The quote is for another swap than was asked for'));
      if (
        BigInt(quote.otherAmountThreshold) < minimumAfterSlippage(BigInt(quote.outAmount), query.slippageBps)
      ) {
        throw unreachable(service, new Error('The quote allows more slippage than was asked for'));
      }
      return quote;
    },

    async swap(quote, owner, pays, signal) {
      const body = JSON.stringify({
        quoteResponse: quote,
        userPublicKey: owner,
        wrapAndUnwrapSol: true,
        // The limit is there for the priority fee, which is paid for each unit of it.
        dynamicComputeUnitLimit: pays === 'priority fee',
        prioritizationFeeLamports: prioritization(pays, options.priorityFee),
      });
      const url = new URL(`${base}/swap/v1/swap`);
      return read(swapSchema, await options.http(url, { method: 'POST', headers, body }, signal));
    },
  };
}

function prioritization(pays: SwapPays, { maxLamports, level }: PriorityFee) {
  if (pays === 'priority fee') return { priorityLevelWithMaxLamports: { maxLamports, priorityLevel: level } };
  return pays.tipLamports === 0n ? 0 : { jitoTipLamports: Number(pays.tipLamports) };
}

/** Stands where no swap service serves the network: throws ROUTE_UNAVAILABLE. */
export function noSwapService(network: string): JupiterClient {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new KervanError('ROUTE_UNAVAILABLE', { reason: `no swap service is set up for ${network}` }),
    );
  return { quote: refuse, swap: refuse };
}

function read<T>(schema: z.ZodType<T>, answer: HttpAnswer): T {
  const json = parseJson(answer.text);
  if (answer.status === 200) {
    const parsed = schema.safeParse(json);
    if (parsed.success) return parsed.data;
    throw unreachable(service, parsed.error);
  }
  const refusal = refusalSchema.safeParse(json);
  const cause = new Error(`HTTP ${answer.status}: ${answer.text.slice(0, 300)}`);
  if (refusal.success && isAboutRoute(refusal.data))
    throw new KervanError('ROUTE_UNAVAILABLE', {}, { cause });
  throw unreachable(service, cause);
}

const routeErrorCodes = [
  'COULD_NOT_FIND_ANY_ROUTE',
  'NO_ROUTES_FOUND',
  'TOKEN_NOT_TRADABLE',
  'MARKET_NOT_FOUND',
  'CIRCULAR_ARBITRAGE_IS_DISABLED',
  'ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT',
  'CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD',
];

function isAboutRoute(refusal: z.infer<typeof refusalSchema>): boolean {
  if (refusal.errorCode !== undefined) return routeErrorCodes.includes(refusal.errorCode);
  return /route|not tradable/i.test(refusal.error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
