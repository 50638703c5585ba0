import type { HttpHandler, HttpReply } from '../../http.ts';
import { stringifyExact } from '../json.ts';
import { LostAnswer, type RpcMethods } from './rpc-context.ts';
import { rpcCodes, RpcError } from './rpc-error.ts';

/**
 * An HTTP handler for JSON-RPC 2.0 calls and batches of them. No answer leaves before `durable` resolves,
 * so that nobody hears of a transaction a power cut could still undo.
 */
export function jsonRpcHandler(methods: RpcMethods, durable: () => Promise<void>): HttpHandler {
  return async ({ body }): Promise<HttpReply> => {
    try {
      const answers = Array.isArray(body)
        ? await Promise.all(body.map((call: unknown) => answerCall(methods, call)))
        : await answerCall(methods, body);
      await durable();
      return { status: 200, body: stringifyExact(answers) };
    } catch (error) {
      if (error instanceof LostAnswer) return { destroy: true };
      throw error;
    }
  };
}

/** The JSON-RPC answer to one call. */
export async function answerCall(methods: RpcMethods, call: unknown): Promise<unknown> {
  if (typeof call !== 'object' || call === null || !('method' in call) || typeof call.method !== 'string') {
    return failure(null, new RpcError(rpcCodes.invalidRequest, 'Invalid request'));
  }
  const id = 'id' in call ? call.id : null;
  const params: unknown = 'params' in call ? (call.params ?? []) : [];
  const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
  if (!method) return failure(id, new RpcError(rpcCodes.methodNotFound, 'Method not found'));
  if (!Array.isArray(params)) {
    return failure(id, new RpcError(rpcCodes.invalidParams, '`params` should be an array'));
  }
  try {
    return { jsonrpc: '2.0', id, result: await method(params) };
  } catch (error) {
    if (error instanceof LostAnswer) throw error;
    return failure(id, error);
  }
}

function failure(id: unknown, error: unknown): unknown {
  if (error instanceof RpcError) {
    const { code, message, data } = error;
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { jsonrpc: '2.0', id, error: { code: rpcCodes.internalError, message } };
}
