import { z } from 'zod';
import {
  actionSchema,
  chainSchema,
  decimalSchema,
  idSchema,
  networkSchema,
  pageQuery,
  reasonSchema,
  timestampSchema,
  tradeSourceSchema,
  tradeStatusSchema,
} from '../primitives.ts';

export const tradesQuery = z.strictObject({
  ...pageQuery,
  bot_id: idSchema.optional(),
  /** A volume session's. */
  session_id: idSchema.optional(),
  chain: chainSchema.optional(),
  source: tradeSourceSchema.optional(),
  action: actionSchema.optional(),
  status: tradeStatusSchema.optional(),
  sort_by: z.enum(['executed_at']).default('executed_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
});

export const tradeSchema = z.strictObject({
  id: idSchema,
  chain: chainSchema,
  network: networkSchema,
  source: tradeSourceSchema,
  action: actionSchema,
  status: tradeStatusSchema,
  /** Native amount traded, without fees, from the landed transaction; SOL on Solana, BNB on BSC. */
  amount_sol: decimalSchema.nullable(),
  /** Token amount that left or reached the wallet, from the landed transaction. */
  amount_tokens: decimalSchema.nullable(),
  /** What was asked for: native for a buy, tokens for a sell. */
  amount_in: decimalSchema,
  /** Everything paid to the network for this trade, approvals included, in native units. */
  fee: decimalSchema.nullable(),
  tip: decimalSchema.nullable(),
  /** Rent paid for a token account that the trade opened (negative: recovered), Solana only. */
  rent: decimalSchema.nullable(),
  token_address: z.string(),
  token_symbol: z.string().nullable(),
  /** Null where the key was pasted and is not stored. */
  wallet_id: idSchema.nullable(),
  wallet_name: z.string(),
  wallet_public_key: z.string(),
  bot_id: idSchema.nullable(),
  bot_name: z.string().nullable(),
  /** The volume session that it belongs to. */
  session_id: idSchema.nullable(),
  transaction_hash: z.string().nullable(),
  error: reasonSchema.nullable(),
  created_at: timestampSchema,
  /**
   * The time of its block; when it ended, if it never landed. Never before `created_at`, even though blocks tell
   * their time in whole seconds.
   */
  executed_at: timestampSchema.nullable(),
});
export type Trade = z.infer<typeof tradeSchema>;

/** Spec §3: the list carries its paging beside the trades, and in meta.pagination. */
export const tradeListSchema = z.strictObject({
  trades: z.array(tradeSchema),
  total: z.number().int(),
  page: z.number().int(),
  limit: z.number().int(),
});
