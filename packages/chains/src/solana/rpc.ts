import {
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcResponse,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';
import { unreachable, type HttpClient } from './http.ts';

export type SolanaRpc = Rpc<SolanaRpcApi>;

type TransportCall = Parameters<RpcTransport>[0];

interface RpcOptions {
  readonly url: URL;
  readonly service: string;
  readonly http: HttpClient;
}

/**
 * Kit's RPC over our HTTP client. A read that the node refuses throws NETWORK_UNREACHABLE like one that it
 * never answered: neither tells anything. Only the refusal of `sendTransaction` reaches the caller, as a SolanaError.
 */
export function createRpc(options: RpcOptions): SolanaRpc {
  const transport: RpcTransport = async <TResponse>({ payload, signal }: TransportCall) => {
    const answer = await options.http(
      options.url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload, plainIntegers),
      },
      signal,
    );
    const envelope = parseJson(options.service, answer.text);
    if (!isEnvelope<TResponse>(envelope)) {
      throw unreachable(options.service, new Error('The answer is no JSON-RPC envelope'));
    }
    if ('error' in envelope && !isSend(payload)) {
      const said = JSON.stringify(envelope.error, plainIntegers);
      throw unreachable(options.service, new Error(`JSON-RPC error ${said}`));
    }
    return envelope;
  };
  return createSolanaRpcFromTransport(transport);
}

// Kit knows the type of each method's result; what a node sends there is taken at its documented word.
function isEnvelope<TResponse>(value: unknown): value is RpcResponse<TResponse> & object {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value);
}

function isSend(payload: unknown): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'method' in payload &&
    payload.method === 'sendTransaction'
  );
}

function parseJson(service: string, text: string): unknown {
  try {
    return mayHoldLargeInteger.test(text) ? JSON.parse(text, exactIntegers) : JSON.parse(text);
  } catch (cause) {
    throw unreachable(service, cause);
  }
}

/** Only a run of so many digits can be an integer that a number does not hold. */
const mayHoldLargeInteger = /\d{16}/;

// u64 values beyond 2^53 come as plain JSON integers; their digits are still in the source.
function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
}

function plainIntegers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
