import { z } from 'zod';
import { LIST_PAGE_SIZE_MAX, NAME_MAX_LENGTH, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './constants.ts';

export const chainSchema = z.enum(['solana', 'bsc']);
export type Chain = z.infer<typeof chainSchema>;

export const solanaNetworkSchema = z.enum(['sandbox', 'devnet', 'mainnet']);
export const bscNetworkSchema = z.enum(['sandbox', 'testnet', 'mainnet']);
export const networkSchema = z.enum(['sandbox', 'devnet', 'testnet', 'mainnet']);
export type Network = z.infer<typeof networkSchema>;

export const actionSchema = z.enum(['buy', 'sell']);
export type Action = z.infer<typeof actionSchema>;

export const dexVersionSchema = z.enum(['v2', 'v3']);
export type DexVersion = z.infer<typeof dexVersionSchema>;

export const tradeStatusSchema = z.enum(['pending', 'success', 'failed', 'cancelled']);
export type TradeStatus = z.infer<typeof tradeStatusSchema>;

export const tradeSourceSchema = z.enum(['bot', 'fast-swap', 'volume']);
export type TradeSource = z.infer<typeof tradeSourceSchema>;

export const logLevelSchema = z.enum(['info', 'success', 'warning', 'error']);
export type LogLevel = z.infer<typeof logLevelSchema>;

export const idSchema = z.uuid();
export const idParams = z.strictObject({ id: idSchema });

/** An exact amount in whole units (SOL, BNB, tokens), never in exponent form. */
export const decimalSchema = z
  .string()
  .max(100)
  .regex(/^-?\d+(\.\d+)?$/, 'DECIMAL_INVALID');

/** A positive amount a caller sends as an exact decimal string. */
export const positiveDecimalSchema = z
  .string()
  .max(100)
  .regex(/^\d+(\.\d+)?$/, 'DECIMAL_INVALID')
  .refine((text) => /[1-9]/.test(text), 'DECIMAL_INVALID');

/** Why something is as it is: an error code and its sentence. */
export const reasonSchema = z.strictObject({ code: z.string(), message: z.string() });
export type Reason = z.infer<typeof reasonSchema>;

export const timestampSchema = z.iso.datetime();

/** Base58 text of a 32-byte key; whether it is on the curve is the chain adapter's question. */
export const solanaAddress = (code: string) =>
  z
    .string({ error: code })
    .trim()
    .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, code);

/** `code` is the error when it is missing or malformed. */
export const bscAddress = (code: string) =>
  z
    .string({ error: code })
    .trim()
    .regex(/^0x[0-9a-fA-F]{40}$/, code);

export const bscAddressSchema = bscAddress('ADDRESS_INVALID');

// NUL can't be stored as text by PostgreSQL; a lone surrogate is no text at all.
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A name that a person gives: trimmed, not empty. `code` is the error when it is missing. */
export const nameSchema = (code: string) =>
  z.string({ error: code }).trim().min(1, code).max(NAME_MAX_LENGTH).refine(isStorableText, 'TEXT_INVALID');

export const pageQuery = {
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
};

/** Lists short enough to be shown whole: without parameters a caller gets all that one page can hold. */
export const listQuery = z.strictObject({
  page: pageQuery.page,
  limit: z.coerce.number().int().min(1).max(LIST_PAGE_SIZE_MAX).default(LIST_PAGE_SIZE_MAX),
});

export type Page = z.infer<typeof listQuery>;

export const emptySchema = z.strictObject({});
