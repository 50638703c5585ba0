import { QueryClient } from '@tanstack/react-query';
import type { FastSwapResult } from '@kervan/contract';
import { describe, expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import type { SessionState } from '../../lib/session.ts';
import { runSwap, type BatchState, type RunOrder, type SwapRun } from './swap-run.ts';

interface Call {
  name: string;
  key: string | undefined;
}

/** An API that gives these answers in turn, and what was asked of it. */
function fakeServices(answers: (FastSwapResult | Error)[]) {
  const calls: Call[] = [];
  let state: SessionState = { status: 'signed-in', user: { id: 'user', username: 'ayse' }, token: 'token' };
  const queryClient = new QueryClient();
  const call = (name: string, _args: unknown, options?: { idempotencyKey?: string }): Promise<unknown> => {
    calls.push({ name, key: options?.idempotencyKey });
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`${name} was not expected`);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return {
    calls,
    signOut: () => {
      state = { status: 'signed-out' };
    },
    services: {
      api: { call } as Api, // the routes that are called here have the same answer
      session: { get: () => state } as never, // nothing else of it is used
      queryClient,
    },
    shown: () => queryClient.getQueryData<SwapRun>(['fastSwapRun', 'solana']),
  };
}

function order(batches: number): RunOrder {
  return {
    chain: 'solana',
    network: 'sandbox',
    mode: 'buy',
    tokenSymbol: 'USDC',
    batches: Array.from({ length: batches }, (_, index) => ({
      request: {
        chain: 'solana',
        body: {
          mode: 'buy',
          tokenAddress: 'token',
          percent: 25,
          walletIds: [`wallet ${index}`],
          slippageBps: 25,
        },
      },
      wallets: [{ id: `wallet ${index}`, name: `Wallet ${index}` }],
    })),
  };
}

const result = (isFinal = true): FastSwapResult => ({
  id: 'swap',
  isFinal,
  signatures: [],
  failed: [],
  legs: [],
});
const lost = () => ApiError.ofClient('TIMEOUT');
const refused = (code: 'TRADING_HALTED' | 'RATE_LIMITED', status: number) => ApiError.of(code, status);
const run = async (fake: ReturnType<typeof fakeServices>, batches = 1, waits: number[] = []) => {
  const ended: BatchState['status'][] = [];
  const final = await runSwap(
    fake.services,
    order(batches),
    (batch) => ended.push(batch.status),
    (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  );
  return { ended, final };
};

describe('a fast swap', () => {
  test('sends its batches one after the other, each under its own key, with a pause between', async () => {
    const fake = fakeServices([result(), result()]);
    const waits: number[] = [];
    const { ended, final } = await run(fake, 2, waits);
    expect(ended).toEqual(['done', 'done']);
    expect(fake.calls.map(({ name }) => name)).toEqual(['fastSwap', 'fastSwap']);
    expect(new Set(fake.calls.map(({ key }) => key)).size).toBe(2);
    expect(waits).toEqual([300]);
    expect(fake.shown()).toEqual(final);
    expect(final.isRunning).toBe(false);
  });

  test('is sent again with the same key when its answer was lost, however often', async () => {
    const fake = fakeServices([...Array.from({ length: 12 }, lost), result()]);
    const { ended } = await run(fake);
    expect(ended).toEqual(['done']);
    expect(fake.calls).toHaveLength(13);
    expect(new Set(fake.calls.map(({ key }) => key)).size).toBe(1);
  });

  test('is followed until all of its legs have ended', async () => {
    const fake = fakeServices([result(false), lost(), result(false), result()]);
    const { final } = await run(fake);
    expect(fake.calls.map(({ name }) => name)).toEqual([
      'fastSwap',
      'getFastSwap',
      'getFastSwap',
      'getFastSwap',
    ]);
    expect(final.batches[0]).toMatchObject({ status: 'done', result: { isFinal: true } });
  });

  test('goes on with its other batches when the server refuses one', async () => {
    const fake = fakeServices([refused('TRADING_HALTED', 409), result()]);
    const { ended, final } = await run(fake, 2);
    expect(ended).toEqual(['failed', 'done']);
    expect(final.batches[0]?.error).toMatchObject({ code: 'TRADING_HALTED' });
  });

  test('gives way to a rate limit three times and then says so', async () => {
    const fake = fakeServices(Array.from({ length: 4 }, () => refused('RATE_LIMITED', 429)));
    const { ended } = await run(fake);
    expect(ended).toEqual(['failed']);
    expect(fake.calls).toHaveLength(4);
  });

  test('is not sent on in the name of somebody else', async () => {
    const fake = fakeServices([lost()]);
    const running = runSwap(
      fake.services,
      order(2),
      () => {
        throw new Error('nobody is there to be told');
      },
      () => {
        fake.signOut();
        return Promise.resolve();
      },
    );
    const final = await running;
    expect(final.batches.map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(fake.calls).toHaveLength(1);
  });
});
