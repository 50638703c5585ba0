import { z } from 'zod';
import type { BundleAnswer } from '../port.ts';
import { printable } from '../printable.ts';
import { jitoTipAccounts } from './addresses.ts';
import { unreachable, type HttpClient } from './http.ts';

export interface BlockEngine {
  /** The accounts that take its tips, of those that Kervan knows as such. Throws NETWORK_UNREACHABLE. */
  tipAccounts(signal?: AbortSignal): Promise<ReadonlySet<string>>;
  /** Sends wire transactions as one bundle; repeating the same one changes nothing. Throws NETWORK_UNREACHABLE. */
  sendBundle(legs: readonly Uint8Array[], signal?: AbortSignal): Promise<BundleAnswer>;
}

interface BlockEngineOptions {
  /** Such as https://mainnet.block-engine.jito.wtf; /api/v1/bundles is added. */
  readonly url: URL;
  readonly http: HttpClient;
  /** A clock in ms that never goes back. */
  readonly clock: () => number;
}

const service = 'Jito';
/** The accounts hardly ever change, and a block engine takes one request a second. */
const tipAccountsFreshMs = 30_000;

const answerSchema = z.object({
  result: z.unknown(),
  error: z.object({ message: z.string() }).optional(),
});
const accountsSchema = z.array(z.string());

/** Client of Jito's block engine (https://docs.jito.wtf, "Low Latency Transaction Send"). */
export function createBlockEngine({ url, http, clock }: BlockEngineOptions): BlockEngine {
  const endpoint = new URL(`${url.href.replace(/\/$/, '')}/api/v1/bundles`);
  let known: { readonly accounts: ReadonlySet<string>; readonly at: number } | undefined;

  async function call(method: string, params: unknown[], signal: AbortSignal | undefined) {
    const { text } = await http(
      endpoint,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      },
      signal,
    );
    return read(answerSchema, parseJson(text));
  }

  return {
    async tipAccounts(signal) {
      const askedAt = clock();
      if (known && askedAt - known.at < tipAccountsFreshMs) return known.accounts;
      const answer = await call('getTipAccounts', [], signal);
      if (answer.error) throw unreachable(service, new Error(answer.error.message));
      const named = read(accountsSchema, answer.result);
      const accounts = new Set(named.filter((account) => jitoTipAccounts.has(account)));
      // A tip to any other account could not be told from a theft, nor be counted in a settlement.
      if (accounts.size === 0) throw unreachable(service, new Error('No tip account of it is known'));
      known = { accounts, at: askedAt };
      return accounts;
    },

    async sendBundle(legs, signal) {
      const transactions = legs.map((leg) => Buffer.from(leg).toString('base64'));
      const answer = await call('sendBundle', [transactions, { encoding: 'base64' }], signal);
      return answer.error
        ? { kind: 'rejected', reason: printable(answer.error.message) }
        : { kind: 'accepted' };
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreachable(service, cause);
  }
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreachable(service, parsed.error);
}
