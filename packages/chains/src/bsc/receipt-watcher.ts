import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import type { AttemptRef, Outcome } from '../port.ts';
import { parseAddress } from './address.ts';
import { landedOutcomes } from './landed.ts';
import { isDeep, readOutcome, type OutcomeDependencies } from './outcome.ts';
import { headOf, quantitySchema, receiptOf, transactionCountOf } from './rpc-calls.ts';
import { requireResult, type RpcAnswer, type RpcCall } from './rpc-client.ts';
import { receiptSchema, type Receipt } from './settlement.ts';

export interface ReceiptWatcher {
  /** Resolves with the first outcome that isn't pending, or with `pending` on abort and on close. Never throws. */
  watch(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome>;
  close(): void;
}

interface Waiter {
  readonly attempt: AttemptRef;
  readonly resolve: (outcome: Outcome) => void;
}

/** Live BSC has a block every 0.75 s, most public nodes take batches of 100. */
const defaultPollMs = 150;
const longestPollMs = 2_000;
const nonceCheckMs = 1_000;
const callsPerBatch = 100;

/** One poller for all attempts that wait: a batch of receipts at a time, and now and then a batch of nonces. */
export function createReceiptWatcher(
  dependencies: OutcomeDependencies & { readonly pollMs?: number },
): ReceiptWatcher {
  const { rpc, confirmations, now, pollMs = defaultPollMs } = dependencies;
  const waiters = new Set<Waiter>();
  const closing = new AbortController();
  let running = false;
  let noncesCheckedAt = 0;

  function end(waiter: Waiter, outcome: Outcome): void {
    if (waiters.delete(waiter)) waiter.resolve(outcome);
  }

  async function askAll(calls: readonly RpcCall[]): Promise<RpcAnswer[]> {
    const answers: RpcAnswer[] = [];
    for (let start = 0; start < calls.length; start += callsPerBatch) {
      answers.push(...(await rpc.readAll(calls.slice(start, start + callsPerBatch), closing.signal)));
    }
    return answers;
  }

  async function checkReceipts(waiting: readonly Waiter[]): Promise<void> {
    const [head, ...answers] = await askAll([
      headOf,
      ...waiting.map(({ attempt }) => receiptOf(attempt.txId)),
    ]);
    const headNumber = quantitySchema.parse(requireResult(head));
    const landed = waiting.flatMap((waiter, index) => {
      const receipt = readReceipt(answers[index]);
      if (receipt === undefined || !isDeep(receipt, headNumber, confirmations)) return [];
      return [{ waiter, attempt: waiter.attempt, receipt }];
    });
    for (let start = 0; start < landed.length; start += callsPerBatch) {
      const some = landed.slice(start, start + callsPerBatch);
      const outcomes = await landedOutcomes(dependencies, some, closing.signal);
      for (const [index, outcome] of outcomes.entries()) {
        const found = some[index];
        // One that can't be read goes on waiting, alone.
        if (found && outcome.status === 'fulfilled') end(found.waiter, outcome.value);
      }
    }
  }

  async function checkNonces(waiting: readonly Waiter[]): Promise<void> {
    const asked = waiting.flatMap((waiter) => {
      const { owner, expiry } = waiter.attempt;
      const address = parseAddress(owner);
      return address !== undefined && expiry.kind === 'nonce'
        ? [{ waiter, address, nonce: expiry.nonce }]
        : [];
    });
    const answers = await askAll(asked.map(({ address }) => transactionCountOf(address, 'latest')));
    for (const [index, { waiter, nonce }] of asked.entries()) {
      const count = readCount(answers[index]);
      if (count === undefined || count <= nonce) continue;
      const outcome = await readable(readOutcome(dependencies, waiter.attempt, closing.signal));
      if (outcome && outcome.kind !== 'pending') end(waiter, outcome);
    }
  }

  async function look(): Promise<void> {
    await checkReceipts([...waiters]);
    if (waiters.size === 0 || now() - noncesCheckedAt < nonceCheckMs) return;
    await checkNonces([...waiters]);
    noncesCheckedAt = now();
  }

  async function run(): Promise<void> {
    let pauseMs = pollMs;
    while (waiters.size > 0 && !closing.signal.aborted) {
      try {
        await look();
        pauseMs = pollMs;
      } catch {
        // The node can't be asked: the attempts go on waiting, and the node is asked less often.
        pauseMs = Math.min(pauseMs * 2, longestPollMs);
      }
      if (waiters.size > 0)
        await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    running = false;
  }

  return {
    watch(attempt, signal) {
      return new Promise((resolve) => {
        const waiter: Waiter = {
          attempt,
          resolve(outcome) {
            signal.removeEventListener('abort', abandon);
            resolve(outcome);
          },
        };
        const abandon = (): void => end(waiter, { kind: 'pending' });
        if (signal.aborted || closing.signal.aborted) {
          resolve({ kind: 'pending' });
          return;
        }
        signal.addEventListener('abort', abandon, { once: true });
        waiters.add(waiter);
        if (running) return;
        running = true;
        void run();
      });
    },
    close() {
      closing.abort();
      for (const waiter of waiters) end(waiter, { kind: 'pending' });
    },
  };
}

function readReceipt(answer: RpcAnswer | undefined): Receipt | undefined {
  return answer?.ok ? receiptSchema.safeParse(answer.result).data : undefined;
}

function readCount(answer: RpcAnswer | undefined): bigint | undefined {
  return answer?.ok ? quantitySchema.safeParse(answer.result).data : undefined;
}

/** Undefined for an answer that can't be read; throws for a node that can't be asked. */
async function readable<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KervanError) throw error;
    return undefined;
  }
}
