import { setTimeout as delay } from 'node:timers/promises';
import {
  API_BASE,
  failureSchema,
  type BodySentTo,
  type DataOf,
  type Failure,
  type Route,
} from '@kervan/contract';

interface Call<R extends Route> {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | number>;
  readonly body?: BodySentTo<R>;
  readonly idempotencyKey?: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly failure: Failure;

  constructor(status: number, failure: Failure) {
    super(`${status} ${failure.error.code}: ${failure.error.message}`);
    this.name = 'ApiError';
    this.status = status;
    this.failure = failure;
  }
}

export type ApiClient = ReturnType<typeof createApiClient>;

/** Calls a running server as the web app does. Every answer is checked against the contract. */
export function createApiClient(baseUrl: string, fetchImpl: typeof fetch = fetch) {
  let token: string | undefined;

  async function call<R extends Route>(route: R, options: Call<R> = {}): Promise<DataOf<R>> {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => options.params?.[name] ?? '');
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) search.set(name, String(value));
    const query = search.size > 0 ? `?${search.toString()}` : '';
    const response = await fetchImpl(baseUrl + API_BASE + path + query, {
      method: route.method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
        ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
    // What comes off the wire is unknown until the contract has read it.
    const answer = (await response.json()) as { data?: unknown };
    if (!response.ok) throw new ApiError(response.status, failureSchema.parse(answer));
    // The route's own schema gives its own output type, which TypeScript can't follow through the generic.
    return route.data.parse(answer.data) as DataOf<R>;
  }

  /** The same call again while the server is away or not ready: only for calls that may be repeated. */
  async function callPatiently<R extends Route>(
    route: R,
    options: Call<R> = {},
    timeoutMs = 60_000,
  ): Promise<DataOf<R>> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      try {
        return await call(route, options);
      } catch (error) {
        const mayPass = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
        if (!mayPass || Date.now() > deadline) throw error;
        await delay(200);
      }
    }
  }

  return {
    call,
    callPatiently,
    signIn(accessToken: string) {
      token = accessToken;
    },
    token: () => token,
  };
}
