import type { SolanaRpcCall } from '@kervan/contract';

/** The call as Solana's JSON-RPC has it: read at `confirmed` (spec §9), accounts decoded by the node. */
export function toRpcCall(call: SolanaRpcCall): { method: string; params: unknown[] } {
  const confirmed = { commitment: 'confirmed' };
  const parsed = { ...confirmed, encoding: 'jsonParsed' };
  switch (call.method) {
    case 'getBalance':
      return { method: call.method, params: [...call.params, confirmed] };
    case 'getTokenAccountsByOwner': {
      const [owner, programId] = call.params;
      return { method: call.method, params: [owner, { programId }, parsed] };
    }
    case 'getSignaturesForAddress': {
      const [address, limit] = call.params;
      return { method: call.method, params: [address, { ...confirmed, limit }] };
    }
    case 'getAccountInfo':
      return { method: call.method, params: [...call.params, parsed] };
    case 'getLatestBlockhash':
      return { method: call.method, params: [confirmed] };
  }
}
