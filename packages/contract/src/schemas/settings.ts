import { z } from 'zod';
import { bscNetworkSchema, chainSchema, networkSchema, solanaNetworkSchema } from '../primitives.ts';

/** Most native value (SOL or BNB); null is no limit. */
const limitSchema = z.number().positive().max(1e12).nullable();

export const limitsSchema = z.strictObject({
  maxNativePerTrade: limitSchema,
  maxNativePerWalletPerDay: limitSchema,
});
export type Limits = z.infer<typeof limitsSchema>;

export const settingsSchema = z.strictObject({
  solana: z.strictObject({ network: solanaNetworkSchema, limits: limitsSchema }),
  bsc: z.strictObject({ network: bscNetworkSchema, limits: limitsSchema }),
});
export type Settings = z.infer<typeof settingsSchema>;

export const updateSettingsSchema = z.strictObject({
  solana: settingsSchema.shape.solana.partial().optional(),
  bsc: settingsSchema.shape.bsc.partial().optional(),
});

export const networkInfoSchema = z.strictObject({
  chain: chainSchema,
  network: networkSchema,
  /** Which band the screen shows. */
  kind: z.enum(['sandbox', 'test', 'live']),
  isAvailable: z.boolean(),
});

export const haltSchema = z.strictObject({ halted: z.boolean() });
