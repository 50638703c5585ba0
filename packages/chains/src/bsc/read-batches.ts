import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RpcAnswer, RpcCall } from './rpc-client.ts';

/** Some nodes take no more calls in one request. */
const mostCalls = 50;

interface Question {
  readonly calls: readonly RpcCall[];
  readonly resolve: (answers: RpcAnswer[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Puts the questions that come up in the same turn of the event loop into one request: a hundred wallets that trade at
 * once then ask the node a few times instead of hundreds. Answers come back to each that asked, a failure to all.
 */
export function createReadBatches(
  exchange: (url: URL, calls: readonly RpcCall[]) => Promise<RpcAnswer[]>,
): (url: URL, calls: readonly RpcCall[], signal?: AbortSignal) => Promise<RpcAnswer[]> {
  const waiting = new Map<URL, Question[]>();

  async function sendNextTurn(url: URL): Promise<void> {
    await nextTurn();
    const questions = waiting.get(url) ?? [];
    waiting.delete(url);
    await Promise.all(batchesOf(questions).map((batch) => ask(url, batch)));
  }

  async function ask(url: URL, batch: readonly Question[]): Promise<void> {
    try {
      const answers = await exchange(
        url,
        batch.flatMap(({ calls }) => calls),
      );
      let start = 0;
      for (const { calls, resolve } of batch) resolve(answers.slice(start, (start += calls.length)));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (url, calls, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => reject(signal?.reason);
      if (signal?.aborted) return abort();
      // Who gives up no longer waits; the others of its request do.
      signal?.addEventListener('abort', abort, { once: true });
      const forget = () => signal?.removeEventListener('abort', abort);
      const question: Question = {
        calls,
        resolve(answers) {
          forget();
          resolve(answers);
        },
        reject(error) {
          forget();
          reject(error);
        },
      };
      const questions = waiting.get(url);
      if (questions) {
        questions.push(question);
        return;
      }
      waiting.set(url, [question]);
      void sendNextTurn(url);
    });
}

function batchesOf(questions: readonly Question[]): Question[][] {
  const batches: Question[][] = [];
  let room = 0;
  for (const question of questions) {
    if (question.calls.length > room || batches.length === 0) {
      batches.push([]);
      room = mostCalls;
    }
    batches.at(-1)?.push(question);
    room -= question.calls.length;
  }
  return batches;
}
