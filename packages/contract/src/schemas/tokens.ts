import { z } from 'zod';

// Any text may be asked about: what is no address is answered as an invalid token, not refused.
const askedAddressSchema = z.string().trim().min(1).max(100);

export const mintParams = z.strictObject({ mint: askedAddressSchema });
export const tokenAddressParams = z.strictObject({ address: askedAddressSchema });

/** What the chain and the token list say of an address (spec §3); `name` says why where `isValid` is false. */
export const tokenSchema = z.strictObject({
  /** In the chain's canonical form when valid, as asked otherwise. */
  address: z.string(),
  name: z.string(),
  symbol: z.string(),
  decimals: z.number().int(),
  isValid: z.boolean(),
});
export type Token = z.infer<typeof tokenSchema>;
