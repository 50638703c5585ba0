import { z } from 'zod';
import {
  FAST_SWAP_BSC_WALLETS_MAX,
  FAST_SWAP_PERCENT_MAX,
  FAST_SWAP_PERCENT_MIN,
  FAST_SWAP_SLIPPAGE_DEFAULT_BPS,
  FAST_SWAP_SLIPPAGE_MAX_PERCENT,
  FAST_SWAP_WALLETS_MAX,
  GAS_PRICE_CUSTOM_MAX_GWEI,
  GAS_PRICE_CUSTOM_MIN_GWEI,
  SLIPPAGE_PERCENT_DEFAULT,
  SLIPPAGE_PERCENT_MIN,
} from '../constants.ts';
import { errorBodySchema } from '../envelope.ts';
import {
  actionSchema,
  bscAddress,
  chainSchema,
  decimalSchema,
  dexVersionSchema,
  idSchema,
  networkSchema,
  solanaAddress,
} from '../primitives.ts';
import { tradeSchema } from './trades.ts';

const common = {
  mode: actionSchema,
  /** Of the balance that can be spent: SOL or BNB for a buy, the token for a sell. */
  percent: z.number().int().min(FAST_SWAP_PERCENT_MIN).max(FAST_SWAP_PERCENT_MAX),
};

/** Spec §3. A wallet named twice trades once. */
export const fastSwapSchema = z.strictObject({
  ...common,
  tokenAddress: solanaAddress('TOKEN_ADDRESS_INVALID'),
  walletIds: z.array(idSchema).min(1, 'FAST_SWAP_WALLETS_REQUIRED').max(FAST_SWAP_WALLETS_MAX),
  /** Basis points; blank is the default. */
  slippageBps: z
    .number()
    .int()
    .min(0)
    .max(FAST_SWAP_SLIPPAGE_MAX_PERCENT * 100)
    .nullish()
    .transform((bps) => bps ?? FAST_SWAP_SLIPPAGE_DEFAULT_BPS),
});
export type FastSwap = z.output<typeof fastSwapSchema>;

export const gasTierSchema = z.enum(['standard', 'fast', 'instant']);
export type GasTier = z.infer<typeof gasTierSchema>;

/** A tier by its name, or a price of one's own in gwei. */
export const gasPriceSchema = z.union([
  gasTierSchema,
  z.number().min(GAS_PRICE_CUSTOM_MIN_GWEI).max(GAS_PRICE_CUSTOM_MAX_GWEI),
]);
export type GasPrice = z.infer<typeof gasPriceSchema>;

export const gasPricesSchema = z.strictObject({
  standard: decimalSchema,
  fast: decimalSchema,
  instant: decimalSchema,
  /** What the node itself names. */
  current: decimalSchema,
});
export type GasPrices = z.infer<typeof gasPricesSchema>;

/** Stored wallets, pasted keys or both; one leg for each address. */
export const bscFastSwapSchema = z
  .strictObject({
    ...common,
    tokenAddress: bscAddress('TOKEN_ADDRESS_INVALID'),
    walletIds: z.array(idSchema).max(FAST_SWAP_BSC_WALLETS_MAX).default([]),
    /** Held in memory until their trades have ended, and nowhere else. */
    privateKeys: z
      .array(
        z
          .string({ error: 'PRIVATE_KEY_HEX_INVALID' })
          .trim()
          .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'PRIVATE_KEY_HEX_INVALID'),
      )
      .max(FAST_SWAP_BSC_WALLETS_MAX)
      .default([]),
    /** A percent under the name that spec §7 gives it. */
    slippageBps: z
      .number()
      .min(SLIPPAGE_PERCENT_MIN)
      .max(FAST_SWAP_SLIPPAGE_MAX_PERCENT)
      .default(SLIPPAGE_PERCENT_DEFAULT),
    pancakeSwapVersion: dexVersionSchema.default('v2'),
    gasPrice: gasPriceSchema.default('fast'),
  })
  .superRefine(({ walletIds, privateKeys }, context) => {
    if (walletIds.length + privateKeys.length === 0)
      context.addIssue({ code: 'custom', path: ['walletIds'], message: 'FAST_SWAP_WALLETS_REQUIRED' });
  });
export type BscFastSwap = z.output<typeof bscFastSwapSchema>;

const legError = errorBodySchema.omit({ requestId: true }).nullable();

const wallet = {
  /** Null for a pasted key. */
  walletId: idSchema.nullable(),
  walletName: z.string().nullable(),
  address: z.string(),
};

export const fastSwapLegSchema = z.strictObject({
  ...wallet,
  /** Lands together with the other atomic legs or not at all. */
  isAtomic: z.boolean(),
  /** Its trade, which `trade:updated` tells of until it has ended; null if it was refused before there was one. */
  trade: tradeSchema.nullable(),
  /** Why it did not trade; null as long as it may, and once it has. */
  error: legError,
});
export type FastSwapLeg = z.infer<typeof fastSwapLegSchema>;

/**
 * Spec §3 (`signatures`, `failed`) and beside it every leg. A leg whose end is not known yet is in neither of the
 * two: then `isFinal` is false, and the same request with the same Idempotency-Key, or its id, tells how it goes on.
 */
export const fastSwapResultSchema = z.strictObject({
  id: idSchema,
  isFinal: z.boolean(),
  /** Of the swaps that landed; those that landed together in a bundle with `bundle:` before them. */
  signatures: z.array(z.string()),
  failed: z.array(
    z.strictObject({
      /** The address where the key was pasted. */
      walletId: z.string(),
      error: z.string(),
    }),
  ),
  legs: z.array(fastSwapLegSchema),
});
export type FastSwapResult = z.infer<typeof fastSwapResultSchema>;

export const fastSwapPreviewLegSchema = z.strictObject({
  ...wallet,
  isAtomic: z.boolean(),
  /** Has to let the router take its tokens first, which is a transaction of its own (BSC). */
  needsApproval: z.boolean(),
  /** In SOL, BNB or tokens; null as far as it can't be told. */
  amountIn: decimalSchema.nullable(),
  expectedOut: decimalSchema.nullable(),
  minimumOut: decimalSchema.nullable(),
  /** The most that the network takes for it, approval included, in SOL or BNB. */
  fee: decimalSchema.nullable(),
  tip: decimalSchema.nullable(),
  /** Deposit for a token account that it opens, in SOL; 0 on BSC. */
  rent: decimalSchema.nullable(),
  /** Hundredths of a percent that the leg itself moves the price, where the venue tells. */
  priceImpactBps: z.number().nullable(),
  /** What would fail and why. */
  error: legError,
});
export type FastSwapPreviewLeg = z.infer<typeof fastSwapPreviewLegSchema>;

export const fastSwapPreviewSchema = z.strictObject({
  chain: chainSchema,
  network: networkSchema,
  mode: actionSchema,
  tokenAddress: z.string(),
  tokenSymbol: z.string().nullable(),
  slippageBps: z.number().int(),
  /** Gwei; null on Solana. */
  gasPrice: decimalSchema.nullable(),
  legs: z.array(fastSwapPreviewLegSchema),
});
export type FastSwapPreview = z.infer<typeof fastSwapPreviewSchema>;
