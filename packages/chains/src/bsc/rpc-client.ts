import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import { z } from 'zod';
import { askNode } from '../ask-node.ts';
import { createReadBatches } from './read-batches.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An error that the node worded, as JSON-RPC 2.0 has it. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcAnswer =
  { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: RpcError };

/**
 * JSON-RPC over kept HTTP connections. Reads that come up together go together, and are retried over all their URLs
 * with jittered backoff; sends go once, to the one URL that may see an unmined transaction. A node that can't be asked
 * is NETWORK_UNREACHABLE with its cause; an aborted signal throws its reason.
 */
export interface RpcClient {
  /** One read; a node that answers with an error counts as one that can't be asked. */
  read(call: RpcCall, signal?: AbortSignal): Promise<unknown>;
  /** Several reads in one request, each with its own answer, in order. */
  readAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcAnswer[]>;
  /** One send, tried once. */
  send(call: RpcCall, signal?: AbortSignal): Promise<RpcAnswer>;
  close(): void;
}

export interface RpcClientOptions {
  /** Names the node in NETWORK_UNREACHABLE; URLs may hold a key and are never shown. */
  readonly service: string;
  readonly readUrls: readonly string[];
  readonly sendUrl: string;
}

const attempts = 6;
const firstBackoffMs = 50;
const longestBackoffMs = 1000;
const silenceTimeoutMs = 10_000;
const timeoutMs = 30_000;
/** Fifty receipts of crowded swaps are two megabytes. */
const maxBytes = 16 * 1024 * 1024;
const maxSockets = 64;

const answersSchema = z.array(
  z.object({
    id: z.number(),
    result: z.unknown().optional(),
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
);

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const readUrls = options.readUrls.map((url) => new URL(url));
  const sendUrl = new URL(options.sendUrl);
  const agents = {
    http: new http.Agent({ keepAlive: true, maxSockets }),
    https: new https.Agent({ keepAlive: true, maxSockets }),
  };

  async function exchange(url: URL, calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcAnswer[]> {
    const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    const { status, text } = await askNode(url, {
      body,
      timeoutMs,
      silenceTimeoutMs,
      maxBytes,
      agent: url.protocol === 'https:' ? agents.https : agents.http,
      signal,
    });
    // Some nodes answer a JSON-RPC error with status 400.
    if ((status < 200 || status >= 300) && !(status === 400 && text.startsWith('{')))
      throw new Error(`The node answered HTTP ${status}`);
    const parsed: unknown = JSON.parse(text);
    const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
    if (list.length > calls.length) throw new Error('The node answered more than it was asked');
    const answers = new Map(answersSchema.parse(list).map((answer) => [answer.id, answer]));
    return calls.map((_, id) => {
      const answer = answers.get(id);
      if (answer === undefined) throw new Error('The node left a call unanswered');
      if (answer.error === undefined) return { ok: true, result: answer.result };
      if (isRateLimit(answer.error)) throw new Error(`The node limits the rate: ${answer.error.message}`);
      return { ok: false, error: answer.error };
    });
  }

  const askTogether = createReadBatches(exchange);

  function unreachable(cause: unknown): KervanError {
    return new KervanError('NETWORK_UNREACHABLE', { network: options.service }, { cause });
  }

  async function readAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<RpcAnswer[]> {
    for (let attempt = 0; ; attempt += 1) {
      const url = readUrls[attempt % readUrls.length] ?? sendUrl;
      try {
        return await askTogether(url, calls, signal);
      } catch (cause) {
        signal?.throwIfAborted();
        if (attempt === attempts - 1) throw unreachable(cause);
      }
      const backoffMs = Math.min(firstBackoffMs * 2 ** attempt, longestBackoffMs);
      await delay(backoffMs * (0.5 + Math.random() / 2), undefined, signal && { signal });
    }
  }

  return {
    readAll,
    async read(call, signal) {
      const [answer] = await readAll([call], signal);
      if (answer?.ok) return answer.result;
      throw unreachable(answer && new Error(`${call.method}: ${answer.error.message}`));
    },
    async send(call, signal) {
      try {
        const [answer] = await exchange(sendUrl, [call], signal);
        if (answer === undefined) throw new Error('The node left a send unanswered');
        return answer;
      } catch (cause) {
        signal?.throwIfAborted();
        throw unreachable(cause);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Some nodes word "429" as a JSON-RPC error under status 200 (-32005: EIP-1474, limit exceeded). */
function isRateLimit(error: RpcError): boolean {
  return error.code === 429 || error.code === -32005 || /rate limit|too many requests/i.test(error.message);
}

/** The node answered a question that it should know with an error. */
export class NodeAnswerError extends Error {
  override readonly name = 'NodeAnswerError';
}

/** The result of one answer among several; an error counts as a node that can't be asked. */
export function requireResult(answer: RpcAnswer | undefined): unknown {
  if (answer?.ok) return answer.result;
  throw new NodeAnswerError(answer?.error.message ?? 'nothing came back');
}
