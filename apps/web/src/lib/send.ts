import {
  API_BASE,
  REQUEST_TIMEOUT_MS,
  routes,
  type BodySentTo,
  type DataOf,
  type ErrorContext,
  type ParamsSentTo,
  type QuerySentTo,
  type Route,
  type RouteName,
} from '@kervan/contract';
import { ApiError } from './api-error.ts';

type Routes = typeof routes;
// A query without a field that must be there may be left out.
type Part<Name extends string, Sent> = [Sent] extends [undefined]
  ? unknown
  : object extends Sent
    ? Partial<Record<Name, Sent>>
    : Record<Name, Sent>;

/** What a call sends besides its name: only the parts that its route has. */
export type CallArgs<N extends RouteName> = Part<'params', ParamsSentTo<Routes[N]>> &
  Part<'query', QuerySentTo<Routes[N]>> &
  Part<'body', BodySentTo<Routes[N]>>;
export type CallData<N extends RouteName> = DataOf<Routes[N]>;

export interface SendOptions {
  token?: string;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

export type Send = <N extends RouteName>(
  name: N,
  args: CallArgs<N>,
  options?: SendOptions,
) => Promise<CallData<N>>;

export interface Parts {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/**
 * One call of the API over fetch: JSON, time-out and envelope. Throws ApiError, or the caller's own abort.
 * `language` is asked at each call: the server says some things in sentences of its own.
 */
export function createSend(fetch: typeof globalThis.fetch, language: () => string): Send {
  return async (name, args, { token, signal, idempotencyKey } = {}) => {
    const route: Route = routes[name];
    const parts: Parts = args ?? {};
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const request: RequestInit = {
      method: route.method,
      headers: {
        'accept-language': language(),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(parts.body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    try {
      const response = await fetch(urlOf(route, parts), request);
      return readEnvelope(response.status, await response.text()) as CallData<typeof name>; // the contract's promise
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (timeout.aborted) throw ApiError.ofClient('TIMEOUT', { cause: error });
      if (signal?.aborted) throw error;
      throw ApiError.ofClient('NETWORK', { cause: error });
    }
  };
}

/** The address of a call. */
export function urlOf({ path }: Route, { params = {}, query = {} }: Parts): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value));
  return `${API_BASE}${filled}${search.size === 0 ? '' : `?${search}`}`;
}

/** A call has failed unless `success` is true and `data` is there (spec §5). */
export function readEnvelope(status: number, text: string): unknown {
  const envelope = parseJson(text);
  if (typeof envelope !== 'object' || envelope === null) throw ApiError.ofClient('ANSWER_INVALID');
  if ('success' in envelope && envelope.success === true && 'data' in envelope) return envelope.data;
  const error = 'error' in envelope ? envelope.error : undefined;
  if (typeof error !== 'object' || error === null || !('code' in error))
    throw ApiError.ofClient('ANSWER_INVALID');
  const { code, message, context, requestId } = error as Partial<Record<string, unknown>>; // its parts are checked here
  throw new ApiError({
    status,
    code: String(code),
    message: typeof message === 'string' ? message : String(code),
    context: typeof context === 'object' && context !== null ? (context as ErrorContext) : {}, // the envelope's schema
    requestId: typeof requestId === 'string' ? requestId : null,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A proxy in front of a server that is away answers with a page.
    throw ApiError.ofClient('ANSWER_INVALID', { cause: error });
  }
}
