import { z } from 'zod';
import { BOT_CHART_TRADES_MAX } from '../constants.ts';
import { actionSchema, chainSchema, decimalSchema, networkSchema, timestampSchema } from '../primitives.ts';

export const chartRangeSchema = z.enum(['1d', '7d', '30d', '90d', 'all']);
export type ChartRange = z.infer<typeof chartRangeSchema>;

export const chartQuery = z.strictObject({ chain: chainSchema, range: chartRangeSchema.default('7d') });

/** All wallets' native coins together over time, on the chosen network; the oldest first, at most some hundred points. */
export const balanceChartSchema = z.strictObject({
  network: networkSchema,
  points: z.array(z.strictObject({ at: timestampSchema, balance: decimalSchema })),
});

/**
 * Native coins that sales brought less those that purchases, fees and tips took, by UTC day, on the chosen network; days
 * without a landed trade are left out.
 */
export const resultChartSchema = z.strictObject({
  network: networkSchema,
  points: z.array(
    z.strictObject({
      date: z.iso.date(),
      net: decimalSchema,
      /** The sum of `net` since the range's first day. */
      total: decimalSchema,
      trades: z.number().int(),
    }),
  ),
});

export const botChartQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(BOT_CHART_TRADES_MAX).default(BOT_CHART_TRADES_MAX),
});

/** A bot's newest landed trades, the oldest of them first. */
export const botChartSchema = z.strictObject({
  token_symbol: z.string().nullable(),
  points: z.array(
    z.strictObject({
      at: timestampSchema,
      action: actionSchema,
      /** Native coins for one token, fees not counted. */
      price: decimalSchema,
      amount_sol: decimalSchema,
      amount_tokens: decimalSchema,
      transaction_hash: z.string(),
    }),
  ),
});

const nativePriceSchema = z.strictObject({
  network: networkSchema,
  /** US dollars for one SOL or BNB on the chosen network's own DEX; null where there is no such price. */
  price: decimalSchema.nullable(),
  at: timestampSchema.nullable(),
});

export const pricesSchema = z.strictObject({ solana: nativePriceSchema, bsc: nativePriceSchema });
