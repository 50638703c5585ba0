import { Agent, request } from 'node:http';
import { z } from 'zod';

/** A JSON-RPC error as the node worded it. */
export class NodeRpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'NodeRpcError';
    this.code = code;
    this.data = data;
  }
}

/** The node did not answer: its process has ended, or is about to be replaced. */
export class NodeLostError extends Error {
  constructor(cause: unknown) {
    super('The node is gone', { cause });
    this.name = 'NodeLostError';
  }
}

export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** JSON-RPC to the local node over kept connections. */
export interface NodeClient {
  /** Posts a JSON-RPC body and returns the answer's body untouched. Throws NodeLostError. */
  post(body: string): Promise<string>;
  /** Calls one method; throws NodeRpcError when the node answers with an error, NodeLostError without one. */
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Several calls in one request; the results are in their order. */
  callAll(calls: readonly NodeCall[]): Promise<unknown[]>;
  close(): void;
}

const answerSchema = z.object({
  id: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

export function createNodeClient(port: number): NodeClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  function post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
          answer.on('error', (error) => reject(new NodeLostError(error)));
        },
      );
      sent.on('error', (error) => reject(new NodeLostError(error)));
      sent.end(body);
    });
  }

  return {
    post,
    async call(method, params = []) {
      const text = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      return resultOf(answerSchema.parse(JSON.parse(text)));
    },
    async callAll(calls) {
      const batch = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
      const answers = z.array(answerSchema).parse(JSON.parse(await post(JSON.stringify(batch))));
      const answerOf = new Map(answers.map((answer) => [answer.id, answer]));
      return batch.map(({ id }) => resultOf(answerOf.get(id)));
    },
    close: () => agent.destroy(),
  };
}

function resultOf(answer: z.infer<typeof answerSchema> | undefined): unknown {
  if (!answer) throw new NodeLostError(new Error('It left a call unanswered'));
  if (answer.error) throw new NodeRpcError(answer.error.code, answer.error.message, answer.error.data);
  return answer.result;
}

/** Anvil's words for a refused transaction where they are not geth's, which BSC nodes use and clients look for. */
const gethWording: readonly (readonly [anvil: RegExp, geth: string])[] = [
  [/transaction already imported/i, 'already known'],
  [/nonce too low/i, 'nonce too low'],
  [/insufficient funds/i, 'insufficient funds for gas * price + value'],
  [/replacement transaction underpriced/i, 'replacement transaction underpriced'],
  [/intrinsic gas too low/i, 'intrinsic gas too low'],
];

/** The refusal of a transaction as a geth node would word it, under geth's code for all of them. */
export function asGethError(error: NodeRpcError): NodeRpcError {
  const wording = gethWording.find(([anvil]) => anvil.test(error.message));
  return new NodeRpcError(-32_000, wording?.[1] ?? error.message);
}
