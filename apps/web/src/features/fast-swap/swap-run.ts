import { skipToken, useQuery, type QueryClient } from '@tanstack/react-query';
import {
  FAST_SWAP_BATCH_PAUSE_MS,
  type Action,
  type Chain,
  type FastSwapResult,
  type Network,
} from '@kervan/contract';
import type { Api } from '../../lib/api.ts';
import { ApiError, isApiError } from '../../lib/api-error.ts';
import { retryDelayMs, shouldRetry } from '../../lib/query.ts';
import { randomId } from '../../lib/random-id.ts';
import type { Services } from '../../lib/services.ts';
import type { SwapBatch } from './swap-values.ts';

/** A wallet of a batch, as it is named while there is no answer. */
export interface BatchWallet {
  readonly id: string;
  readonly name: string;
}

export interface BatchState {
  readonly wallets: readonly BatchWallet[];
  /** `settling`: the server has it, and waits for the chain. */
  readonly status: 'waiting' | 'sending' | 'settling' | 'done' | 'failed';
  readonly result: FastSwapResult | null;
  /** Why the server refused it as a whole. */
  readonly error: unknown;
}

/** A fast swap that was confirmed: what was asked for, and how far each of its batches is. */
export interface SwapRun {
  readonly chain: Chain;
  readonly network: Network;
  readonly mode: Action;
  readonly tokenSymbol: string;
  readonly isRunning: boolean;
  readonly batches: readonly BatchState[];
}

export interface RunOrder extends Pick<SwapRun, 'chain' | 'network' | 'mode' | 'tokenSymbol'> {
  readonly batches: readonly { readonly request: SwapBatch; readonly wallets: readonly BatchWallet[] }[];
}

type RunServices = Pick<Services, 'api' | 'session' | 'queryClient'>;
type Wait = (ms: number) => Promise<void>;

const POLL_MS = 1_000;
const RETRY_MAX_MS = 10_000;
/** A server that answers with a fault of its own may have planned the trades; it is asked so often what it did. */
const FAULT_RETRIES = 5;

const runKey = (chain: Chain) => ['fastSwapRun', chain] as const;

/**
 * The last fast swap of a chain. It lives in the query cache, which is emptied when another account signs in: so it
 * goes on, and its results are there, whichever view is open.
 */
export function useSwapRun(chain: Chain): SwapRun | undefined {
  return useQuery<SwapRun>({ queryKey: runKey(chain), queryFn: skipToken }).data;
}

export function forgetRun(queryClient: QueryClient, chain: Chain): void {
  // Not removed: who watches it would go on showing it.
  void queryClient.resetQueries({ queryKey: runKey(chain) });
}

/**
 * Sends the batches one after the other, each under a key of its own: a batch whose answer was lost is sent again
 * with the same key, until the server says what became of it. Never rejects.
 */
export async function runSwap(
  services: RunServices,
  order: RunOrder,
  onBatchEnd: (batch: BatchState, number: number, of: number) => void,
  wait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<SwapRun> {
  const { queryClient } = services;
  const { batches: orders, ...what } = order;
  let run: SwapRun = {
    ...what,
    isRunning: true,
    batches: orders.map(({ wallets }) => ({ wallets, status: 'waiting', result: null, error: null })),
  };
  queryClient.setQueryDefaults(runKey(order.chain), { gcTime: Infinity });
  const api = inTheNameOf(services);
  const show = (): void => {
    if (api.isCurrent()) queryClient.setQueryData(runKey(order.chain), run);
  };
  const update = (index: number, changed: Partial<BatchState>): void => {
    run = {
      ...run,
      batches: run.batches.map((batch, at) => (at === index ? { ...batch, ...changed } : batch)),
    };
    show();
  };

  show();
  for (const [index, { request }] of orders.entries()) {
    if (index > 0) await wait(FAST_SWAP_BATCH_PAUSE_MS);
    const idempotencyKey = randomId();
    update(index, { status: 'sending' });
    try {
      const first = await untilAnswered(() => send(api, request, idempotencyKey), wait);
      update(index, { status: 'settling', result: first });
      update(index, { status: 'done', result: await untilFinal(api, first, wait) });
    } catch (error) {
      update(index, { status: 'failed', error });
    }
    const batch = run.batches[index];
    if (batch && api.isCurrent()) onBatchEnd(batch, index + 1, orders.length);
  }
  run = { ...run, isRunning: false };
  show();
  return run;
}

interface OwnApi extends Api {
  readonly isCurrent: () => boolean;
}

/** Calls for as long as the person who began is signed in: nobody else's session may send them again. */
function inTheNameOf({ api, session }: RunServices): OwnApi {
  const userNow = (): string | undefined => {
    const state = session.get();
    return state.status === 'signed-in' ? state.user.id : undefined;
  };
  const user = userNow();
  const isCurrent = (): boolean => user !== undefined && userNow() === user;
  return {
    isCurrent,
    async call(...args) {
      if (!isCurrent()) throw ApiError.of('AUTH_REQUIRED', 401);
      return await api.call(...args);
    },
  };
}

async function send(api: Api, batch: SwapBatch, idempotencyKey: string): Promise<FastSwapResult> {
  return batch.chain === 'solana'
    ? await api.call('fastSwap', { body: batch.body }, { idempotencyKey })
    : await api.call('bscFastSwap', { body: batch.body }, { idempotencyKey });
}

async function untilFinal(api: Api, first: FastSwapResult, wait: Wait): Promise<FastSwapResult> {
  let result = first;
  while (!result.isFinal) {
    await wait(POLL_MS);
    result = await untilAnswered(() => api.call('getFastSwap', { params: { id: first.id } }), wait);
  }
  return result;
}

/** Asks again for as long as nobody knows whether the server did it. */
async function untilAnswered<T>(ask: () => Promise<T>, wait: Wait): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (!mayAskAgain(failures, error)) throw error;
      await wait(Math.min(retryDelayMs(failures), RETRY_MAX_MS));
    }
  }
}

function mayAskAgain(failures: number, error: unknown): boolean {
  if (!isApiError(error)) return false;
  if (error.status === 0 || error.code === 'UNAVAILABLE') return true;
  return error.status >= 500 ? failures < FAULT_RETRIES : shouldRetry(failures, error);
}
