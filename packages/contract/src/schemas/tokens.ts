import { z } from 'zod';
import { chainSchema } from '../primitives.ts';
import { tokenWarningSchema } from '../token-warnings.ts';

// Any text may be asked about: what is no address is answered as an invalid token, not refused.
const askedAddressSchema = z.string().trim().min(1).max(100);

export const mintParams = z.strictObject({ mint: askedAddressSchema });
export const tokenAddressParams = z.strictObject({ address: askedAddressSchema });

export const tokenSearchQuery = z.strictObject({
  /** A name, a symbol or an address. */
  q: z.string().trim().min(1).max(100),
  chain: chainSchema.default('solana'),
});

const tokenFields = {
  /** In the chain's canonical form when valid, as asked otherwise. */
  address: z.string(),
  name: z.string(),
  symbol: z.string(),
  decimals: z.number().int(),
  /** Where its picture is; the web app, which loads nothing from third parties, shows none. */
  logoURI: z.string().nullable(),
};

/** What the chain and the token list say of an address (spec §3); `name` says why where `isValid` is false. */
export const tokenSchema = z.strictObject({
  ...tokenFields,
  description: z.string().nullable(),
  website: z.string().nullable(),
  isValid: z.boolean(),
  /** What to know before trading it, the gravest first. */
  warnings: z.array(tokenWarningSchema),
});
export type Token = z.infer<typeof tokenSchema>;

export const foundTokenSchema = z.strictObject(tokenFields);
export type FoundToken = z.infer<typeof foundTokenSchema>;

/** The best match first. */
export const tokenSearchSchema = z.strictObject({ tokens: z.array(foundTokenSchema) });
