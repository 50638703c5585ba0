import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';

export interface HttpOptions {
  /** Names the service in NETWORK_UNREACHABLE; URLs may hold a key and are never shown. */
  readonly service: string;
  readonly fetch: typeof fetch;
  /** One try's limit in ms. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Wait before the second try in ms; doubles from there, drawn between half and all of it. */
  readonly backoffMs: number;
  readonly maxInFlight: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** One HTTP exchange; throws NETWORK_UNREACHABLE, or the signal's reason. */
export type HttpClient = (url: URL, init: RequestInit, signal?: AbortSignal) => Promise<HttpAnswer>;

/**
 * A fetch that tries again what may go better the next time: connection failures, time-outs, 429 (after
 * Retry-After where given) and 5xx. Only for requests that are safe to repeat; everything we ask a node is,
 * for a transaction sent twice is the same transaction.
 */
export function createHttpClient(options: HttpOptions): HttpClient {
  const acquire = createSlots(options.maxInFlight);

  return async (url, init, signal) => {
    let cause: unknown;
    for (let attempt = 0; attempt < options.attempts; attempt += 1) {
      if (attempt > 0) await delay(waitMs(options.backoffMs, attempt, cause), undefined, { signal });
      signal?.throwIfAborted();
      const release = await acquire();
      try {
        return await exchange(options, url, init, signal);
      } catch (error) {
        signal?.throwIfAborted();
        cause = error;
      } finally {
        release();
      }
    }
    throw unreachable(options.service, cause);
  };
}

/** The error for a node or service that could not be asked. */
export function unreachable(service: string, cause: unknown): KervanError {
  return new KervanError('NETWORK_UNREACHABLE', { network: service }, { cause });
}

/** A status that may be another one the next time. */
class TransientStatusError extends Error {
  readonly retryAfterMs: number;

  constructor(status: number, retryAfterMs: number) {
    super(`HTTP ${status}`);
    this.name = 'TransientStatusError';
    this.retryAfterMs = retryAfterMs;
  }
}

const longestRetryAfterMs = 5_000;

async function exchange(
  options: HttpOptions,
  url: URL,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const response = await options.fetch(url, {
    ...init,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  // Read in any case: an unread body keeps its connection busy.
  const text = await response.text();
  if (response.status === 429 || response.status >= 500) {
    throw new TransientStatusError(response.status, retryAfterMs(response.headers.get('retry-after')));
  }
  return { status: response.status, text };
}

function retryAfterMs(header: string | null): number {
  const seconds = Number(header ?? 0);
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, longestRetryAfterMs) : 0;
}

// Jitter: callers that were refused together must not come back together.
function waitMs(backoffMs: number, attempt: number, cause: unknown): number {
  const longest = backoffMs * 2 ** (attempt - 1);
  const backoff = longest / 2 + (Math.random() * longest) / 2;
  return cause instanceof TransientStatusError ? Math.max(backoff, cause.retryAfterMs) : backoff;
}

function createSlots(max: number): () => Promise<() => void> {
  let taken = 0;
  const queue: (() => void)[] = [];

  function release(): void {
    const next = queue.shift();
    if (next) next();
    else taken -= 1;
  }

  return async () => {
    if (taken < max) taken += 1;
    else await new Promise<void>((resolve) => queue.push(resolve));
    return release;
  };
}
