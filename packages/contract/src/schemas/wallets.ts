import { z } from 'zod';
import { BALANCE_ADDRESSES_MAX, WALLET_TRANSACTIONS_MAX, WALLET_TRANSACTIONS_SHOWN } from '../constants.ts';
import { errorBodySchema } from '../envelope.ts';
import {
  bscAddressSchema,
  decimalSchema,
  idSchema,
  nameSchema,
  networkSchema,
  timestampSchema,
} from '../primitives.ts';

// A key is checked by its chain; here only its size, so that nothing large reaches the decoder.
const keyTextSchema = z
  .string({ error: 'PRIVATE_KEY_INVALID' })
  .trim()
  .min(1, 'PRIVATE_KEY_REQUIRED')
  .max(1000, 'PRIVATE_KEY_INVALID');

/** Leaving the key out asks the vault to generate one: it is then never outside the vault at all. */
export const createSolanaWalletSchema = z.strictObject({
  name: nameSchema('WALLET_NAME_REQUIRED'),
  private_key: keyTextSchema.optional(),
});

export const solanaWalletSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  public_key: z.string(),
  created_at: timestampSchema,
});
export type SolanaWallet = z.infer<typeof solanaWalletSchema>;

/** A BSC key as a person pastes it. */
export const bscKeyTextSchema = z
  .string({ error: 'PRIVATE_KEY_HEX_INVALID' })
  .trim()
  .min(1, 'PRIVATE_KEY_REQUIRED')
  .max(1000, 'PRIVATE_KEY_HEX_INVALID')
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'PRIVATE_KEY_HEX_INVALID');

export const createBscWalletSchema = z.strictObject({
  name: nameSchema('WALLET_NAME_REQUIRED'),
  privateKeyHex: bscKeyTextSchema.optional(),
});

export const bscWalletSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  address: z.string(),
  created_at: timestampSchema,
});
export type BscWallet = z.infer<typeof bscWalletSchema>;

export const bscBalancesQuery = z.strictObject({
  addresses: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(bscAddressSchema).min(1).max(BALANCE_ADDRESSES_MAX)),
});

/** Lower-case address → balance. */
export const balanceMapSchema = z.record(z.string(), decimalSchema);

export const bscTokenBalancesSchema = z.strictObject({
  addresses: z.array(bscAddressSchema).min(1).max(BALANCE_ADDRESSES_MAX),
  tokenAddress: bscAddressSchema,
  /** Such as a bot’s own; without it the network that is chosen in the settings. */
  network: networkSchema.optional(),
});

/** Public key → SOL, for all of the user's wallets. */
export const solanaBalancesSchema = z.record(z.string(), z.strictObject({ sol: decimalSchema }));

/** What a Solana wallet holds (spec §3). */
export const walletBalanceSchema = z.strictObject({
  sol: decimalSchema,
  tokens: z.array(
    z.strictObject({
      mint: z.string(),
      /** Base units. */
      amount: decimalSchema,
      decimals: z.number().int(),
      uiAmount: decimalSchema,
      symbol: z.string(),
      name: z.string(),
    }),
  ),
  /** SOL and stablecoins at the network's price; null without one. Other tokens are not counted. */
  totalUsdValue: decimalSchema.nullable(),
  /** The time of the price. */
  priceAt: timestampSchema.nullable(),
});
export type WalletBalance = z.infer<typeof walletBalanceSchema>;

export const solanaTokenBalancesQuery = z.strictObject({
  tokenAddress: z.string().trim().min(32).max(44),
  /** As for BSC. */
  network: networkSchema.optional(),
});

export const walletTransactionsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(WALLET_TRANSACTIONS_MAX).default(WALLET_TRANSACTIONS_SHOWN),
});

export const walletTransactionParams = z.strictObject({
  id: idSchema,
  signature: z.string().min(1).max(100),
});

/** Spec §3, and beside its one amount all that the transaction did to the wallet. */
export const walletTransactionSchema = z.strictObject({
  signature: z.string(),
  /** Seconds since 1970; null if the node does not tell. */
  blockTime: z.number().int().nullable(),
  slot: z.number().int(),
  /** SOL that the wallet paid for it; null if the node no longer tells. */
  fee: decimalSchema.nullable(),
  status: z.enum(['success', 'failed', 'other']),
  type: z.enum(['swap', 'send', 'receive', 'other']),
  /** The first of the changes. */
  amount: decimalSchema.optional(),
  symbol: z.string(),
  /** Negative for what left the wallet; fee and account deposits are not among them. */
  changes: z.array(
    z.strictObject({
      /** Null is SOL itself. */
      tokenAddress: z.string().nullable(),
      symbol: z.string(),
      amount: decimalSchema,
    }),
  ),
});
export type WalletTransaction = z.infer<typeof walletTransactionSchema>;

export const walletTransactionDetailSchema = walletTransactionSchema.extend({
  error: errorBodySchema.omit({ requestId: true }).nullable(),
  feePayer: z.string(),
  /** Every account that it named, and what it did to its SOL. */
  accounts: z.array(z.strictObject({ address: z.string(), change: decimalSchema })),
  logs: z.array(z.string()),
});
export type WalletTransactionDetail = z.infer<typeof walletTransactionDetailSchema>;
