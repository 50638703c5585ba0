import { z } from 'zod';
import { bscNetworkSchema, chainSchema, networkSchema, solanaNetworkSchema } from '../primitives.ts';

/** Most native value (SOL or BNB); null is no limit. */
const limitSchema = z.number().positive().max(1e12).nullable();

export const limitsSchema = z.strictObject({
  maxNativePerTrade: limitSchema,
  maxNativePerWalletPerDay: limitSchema,
});
export type Limits = z.infer<typeof limitsSchema>;

/** What tells an EVM network from another. */
export const BSC_CHAIN_IDS = { sandbox: 31_337, testnet: 97, mainnet: 56 } as const;

const chainIdSchema = z.literal([BSC_CHAIN_IDS.sandbox, BSC_CHAIN_IDS.testnet, BSC_CHAIN_IDS.mainnet]);

/** A key of a Solana RPC provider, as the provider gives it out. */
const providerKeySchema = z
  .string()
  .trim()
  .min(1, 'PROVIDER_KEY_REQUIRED')
  .max(200)
  .regex(/^[\w.~-]+$/);

const rpcUrlSchema = z.string().trim().max(500).refine(isNodeUrl, 'RPC_URL_INVALID');

/** Where clouds answer a machine's questions about itself, secrets included; no node is there. */
const LINK_LOCAL = /^(169\.254\.|\[fe[89ab]|\[::ffff:a9fe:)/;

/** An address on HTTP or HTTPS without a user, a password or a fragment in it. */
function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash, hostname } = new URL(text);
  const isPlain = username === '' && password === '' && hash === '';
  return /^https?:$/.test(protocol) && isPlain && !LINK_LOCAL.test(hostname);
}

export const settingsSchema = z.strictObject({
  solana: z.strictObject({
    network: solanaNetworkSchema,
    limits: limitsSchema,
    /** The provider key's first and last 4 characters; null without one. The key itself is never answered. */
    providerKey: z.string().nullable(),
  }),
  bsc: z.strictObject({
    network: bscNetworkSchema,
    /** The network's. */
    chainId: z.number().int(),
    /** The user's own node for the network, what follows its host masked; null is the built-in one. */
    rpcUrl: z.string().nullable(),
    limits: limitsSchema,
  }),
});
export type Settings = z.infer<typeof settingsSchema>;

// A change sends what changes: of a chain its network or its limits, and of these one or both. Null takes away a
// provider key or a node. On BSC network and chain id say the same; either may be sent.
const changedLimits = { limits: limitsSchema.partial() };
export const updateSettingsSchema = z.strictObject({
  solana: z
    .strictObject({
      network: solanaNetworkSchema,
      ...changedLimits,
      providerKey: providerKeySchema.nullable(),
    })
    .partial()
    .optional(),
  bsc: z
    .strictObject({
      network: bscNetworkSchema,
      chainId: chainIdSchema,
      rpcUrl: rpcUrlSchema.nullable(),
      ...changedLimits,
    })
    .partial()
    .optional(),
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
