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

// A change sends what changes: of a chain its network or its limits, and of these one or both.
const changedLimits = { limits: limitsSchema.partial() };
export const updateSettingsSchema = z.strictObject({
  solana: settingsSchema.shape.solana.extend(changedLimits).partial().optional(),
  bsc: settingsSchema.shape.bsc.extend(changedLimits).partial().optional(),
});

export const networkInfoSchema = z.strictObject({
  chain: chainSchema,
  network: networkSchema,
  /** Which band the screen shows. */
  kind: z.enum(['sandbox', 'test', 'live']),
  /** False for a sandbox that this server does not run. */
  isAvailable: z.boolean(),
  /** Whether a user has chosen it, an active bot trades there or a trade is open there. */
  isInUse: z.boolean(),
  /** What is wrong with its node, in words. Of a network that is not in use nothing is claimed: null. */
  problem: z.string().nullable(),
});

export const haltSchema = z.strictObject({ halted: z.boolean() });
