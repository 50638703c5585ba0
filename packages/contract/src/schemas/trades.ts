import { z } from 'zod';
import {
  actionSchema,
  chainSchema,
  decimalSchema,
  dexVersionSchema,
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
  network: networkSchema.optional(),
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
  /** What `amount_sol` was worth in US dollars when the trade ended; null: not landed, or no price was known then. */
  usd: decimalSchema.nullable(),
  /** US dollars for one token, by the same price. */
  price: decimalSchema.nullable(),
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

/** One signed transaction of a trade; its bytes stay on the server. */
export const tradeAttemptSchema = z.strictObject({
  /** 1, 2, 3 … within the trade. */
  number: z.number().int(),
  /** approval: lets a router take the tokens (BSC). cancel: takes a stuck transaction's place and moves nothing (BSC). */
  purpose: z.enum(['swap', 'approval', 'cancel']),
  /** live: it may still land. dead: it never can. */
  state: z.enum(['live', 'landed', 'dead']),
  transaction_hash: z.string(),
  /** What makes it die: the nonce goes to another transaction (BSC), or the chain passes this block height (Solana). */
  nonce: decimalSchema.nullable(),
  last_valid_block_height: decimalSchema.nullable(),
  /** BSC only. */
  gas_price_gwei: decimalSchema.nullable(),
  /** Paid to the network, in native units; null unless it landed. */
  fee: decimalSchema.nullable(),
  /** Slot or block in which it landed. */
  height: decimalSchema.nullable(),
  created_at: timestampSchema,
  ended_at: timestampSchema.nullable(),
});

/** One trade with its life and everything that was signed for it. The explorer link: chain, network, hash. */
export const tradeDetailSchema = tradeSchema.extend({
  slippage_bps: z.number().int(),
  dex_version: dexVersionSchema.nullable(),
  /** US dollars for one SOL or BNB when the trade ended. */
  native_price: decimalSchema.nullable(),
  /** When each step was taken; null is not yet, or never. */
  life: z.strictObject({
    planned_at: timestampSchema,
    simulated_at: timestampSchema.nullable(),
    signed_at: timestampSchema.nullable(),
    sent_at: timestampSchema.nullable(),
    /** The time of its block. A transaction that the chain refused has landed too. */
    landed_at: timestampSchema.nullable(),
    ended_at: timestampSchema.nullable(),
  }),
  /** The first one first. */
  attempts: z.array(tradeAttemptSchema),
});
export type TradeDetail = z.infer<typeof tradeDetailSchema>;

/** Spec §3: the list carries its paging beside the trades, and in meta.pagination. */
export const tradeListSchema = z.strictObject({
  trades: z.array(tradeSchema),
  total: z.number().int(),
  page: z.number().int(),
  limit: z.number().int(),
});
