/** An error of Solana's JSON-RPC; the codes are Agave's (rpc-client-types, custom_error.rs). */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const rpcCodes = {
  preflightFailure: -32002,
  signatureVerificationFailure: -32003,
  unsupportedTransactionVersion: -32015,
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

export function invalidParams(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
