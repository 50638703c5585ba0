import { z } from 'zod';
import { SIGNATURES_DEFAULT, SIGNATURES_MAX } from '../constants.ts';
import { solanaAddress } from '../primitives.ts';

const address = solanaAddress('ADDRESS_INVALID');
const call = <const M extends string, P extends z.ZodType>(method: M, params: P) =>
  z.strictObject({ method: z.literal(method), params });

/** The read methods of spec §7, with their parameters in its order. */
export const solanaRpcSchema = z.discriminatedUnion('method', [
  /** Lamports of an address. */
  call('getBalance', z.tuple([address])),
  /** Token accounts by owner and token program. */
  call('getTokenAccountsByOwner', z.tuple([address, address])),
  /** The newest transactions that name an address, and how many of them. */
  call(
    'getSignaturesForAddress',
    z.tuple([address, z.number().int().min(1).max(SIGNATURES_MAX).default(SIGNATURES_DEFAULT)]),
  ),
  call('getAccountInfo', z.tuple([address])),
  /** What shows that the node is there. */
  call('getLatestBlockhash', z.tuple([])),
]);
export type SolanaRpcCall = z.output<typeof solanaRpcSchema>;

/**
 * What the node answered, as Solana's JSON-RPC documents it (accounts parsed, commitment confirmed). Whole numbers
 * that a JSON number can't hold exactly are decimal strings.
 */
export const solanaRpcResultSchema = z.strictObject({ result: z.unknown() });
