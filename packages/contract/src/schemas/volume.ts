import { z } from 'zod';
import {
  SLIPPAGE_PERCENT_DEFAULT,
  SLIPPAGE_PERCENT_MAX,
  SLIPPAGE_PERCENT_MIN,
  VOLUME_BNB_MAX,
  VOLUME_BNB_MIN,
  VOLUME_INTERVAL_MAX_MS,
  VOLUME_INTERVAL_MIN_MS,
  VOLUME_SLIPPAGE_BPS_DEFAULT,
  VOLUME_SOL_MAX,
  VOLUME_SOL_MIN,
  VOLUME_WALLETS_MAX,
  VOLUME_WALLETS_MIN,
} from '../constants.ts';
import {
  bscAddress,
  chainSchema,
  decimalSchema,
  idSchema,
  networkSchema,
  reasonSchema,
  solanaAddress,
} from '../primitives.ts';
import { bscKeyTextSchema } from './wallets.ts';

const common = {
  walletCount: z.number().int().min(VOLUME_WALLETS_MIN).max(VOLUME_WALLETS_MAX),
  tradingIntervalMs: z.number().int().min(VOLUME_INTERVAL_MIN_MS).max(VOLUME_INTERVAL_MAX_MS),
};
const solSchema = z.number().min(VOLUME_SOL_MIN).max(VOLUME_SOL_MAX);
const bnbSchema = z.number().min(VOLUME_BNB_MIN).max(VOLUME_BNB_MAX);

/** Spec §3 and §5. The amounts are what each wallet is funded with: a draw between the two. */
export const startSolanaVolumeSchema = z
  .strictObject({
    ...common,
    masterWalletId: idSchema,
    tokenAddress: solanaAddress('TOKEN_ADDRESS_INVALID'),
    minSolAmount: solSchema,
    maxSolAmount: solSchema,
    slippageBps: z
      .number()
      .int()
      .min(SLIPPAGE_PERCENT_MIN * 100)
      .max(SLIPPAGE_PERCENT_MAX * 100)
      .default(VOLUME_SLIPPAGE_BPS_DEFAULT),
  })
  .refine(({ minSolAmount, maxSolAmount }) => minSolAmount < maxSolAmount, {
    message: 'AMOUNT_RANGE_INVALID',
    path: ['minSolAmount'],
  });

/** The master is a stored wallet or a pasted key, never both. */
export const startBscVolumeSchema = z
  .strictObject({
    ...common,
    masterWalletId: idSchema.optional(),
    masterPrivateKey: bscKeyTextSchema.optional(),
    tokenAddress: bscAddress('TOKEN_ADDRESS_INVALID'),
    minBnbAmount: bnbSchema,
    maxBnbAmount: bnbSchema,
    /** A percent, 0.1 to 20, under the name that the spec's client sends it by. */
    slippageBps: z
      .number()
      .min(SLIPPAGE_PERCENT_MIN)
      .max(SLIPPAGE_PERCENT_MAX)
      .default(SLIPPAGE_PERCENT_DEFAULT),
  })
  .refine(({ minBnbAmount, maxBnbAmount }) => minBnbAmount < maxBnbAmount, {
    message: 'AMOUNT_RANGE_INVALID',
    path: ['minBnbAmount'],
  })
  .refine(
    ({ masterWalletId, masterPrivateKey }) =>
      (masterWalletId === undefined) !== (masterPrivateKey === undefined),
    { message: 'VOLUME_MASTER_REQUIRED', path: ['masterWalletId'] },
  );

export const volumeStartedSchema = z.strictObject({ sessionId: idSchema });

export const volumeStateSchema = z.enum(['funding', 'trading', 'draining', 'ended']);
export type VolumeState = z.infer<typeof volumeStateSchema>;

/**
 * funding: waits for its money. draining: is being emptied into the master. drained: is empty, but for what could
 * not pay its own fee. stranded: something is left in it, and draining it was given up for the reason that it names.
 */
export const volumeWalletStatusSchema = z.enum(['funding', 'trading', 'draining', 'drained', 'stranded']);
export type VolumeWalletStatus = z.infer<typeof volumeWalletStatusSchema>;

const figures = {
  /** Native value of all swaps that landed, buys and sells. */
  totalVolume: decimalSchema,
  /** Swaps that landed. */
  totalTrades: z.number().int(),
  /**
   * What the session has done to its native coin so far: sells − buys − fees − deposits. Tokens that are held count
   * as nothing. Of a drained session it is what the master has more (or less, below zero) than before.
   */
  totalProfit: decimalSchema,
  currentCycle: z.number().int(),
};

/** The user's session on the chain; zeros and nulls while there is none. */
export const volumeStatsSchema = z.strictObject({
  ...figures,
  /** Wallets that are not drained yet. */
  activeWallets: z.number().int(),
  /** True from start to stop. A session that is `draining` runs no more, but another can't begin before it has ended. */
  isRunning: z.boolean(),
  /** Milliseconds since 1970. */
  startTime: z.number().int().nullable(),
  sessionId: idSchema.nullable(),
  state: volumeStateSchema.nullable(),
  network: networkSchema.nullable(),
  tokenAddress: z.string().nullable(),
  tokenSymbol: z.string().nullable(),
  /** Why the session waits at this moment: trading is halted, the node does not answer, … */
  problem: reasonSchema.nullable(),
});
export type VolumeStats = z.infer<typeof volumeStatsSchema>;

const walletFields = {
  id: idSchema,
  status: volumeWalletStatusSchema,
  /** Native; null while the node does not tell. */
  balance: decimalSchema.nullable(),
  /** Of the session's token. */
  tokenBalance: decimalSchema.nullable(),
  /** Milliseconds since 1970. */
  lastActivity: z.number().int().nullable(),
};
export const solanaVolumeWalletSchema = z.strictObject({ ...walletFields, publicKey: z.string() });
export const bscVolumeWalletSchema = z.strictObject({ ...walletFields, address: z.string() });
export type SolanaVolumeWallet = z.infer<typeof solanaVolumeWalletSchema>;
export type BscVolumeWallet = z.infer<typeof bscVolumeWalletSchema>;

export const volumeSessionSchema = z.strictObject({
  ...figures,
  sessionId: idSchema,
  chain: chainSchema,
  network: networkSchema,
  state: volumeStateSchema,
  /** Null for a pasted key. */
  masterWalletId: idSchema.nullable(),
  masterAddress: z.string(),
  tokenAddress: z.string(),
  tokenSymbol: z.string().nullable(),
  walletCount: z.number().int(),
  /** As typed: SOL or BNB that a wallet was funded with. */
  minAmount: z.number(),
  maxAmount: z.number(),
  tradingIntervalMs: z.number().int(),
  slippageBps: z.number().int(),
  /** Milliseconds since 1970. */
  startTime: z.number().int(),
  /** When draining began. */
  stopTime: z.number().int().nullable(),
  endTime: z.number().int().nullable(),
  /** Why it stopped itself; null if it runs or a person stopped it. */
  stopReason: reasonSchema.nullable(),
  problem: reasonSchema.nullable(),
  /** Wallets with something left that could not be recovered. */
  strandedWallets: z.number().int(),
});
export type VolumeSession = z.infer<typeof volumeSessionSchema>;

export const volumeSessionDetailSchema = volumeSessionSchema.extend({
  /**
   * The account, native and exact: recovered = funded − fees − deposits − priceLoss − left, where `fees` are those of
   * the session's wallets; the master itself paid `masterFees` to fund them.
   */
  account: z.strictObject({
    funded: decimalSchema,
    recovered: decimalSchema,
    fees: decimalSchema,
    masterFees: decimalSchema,
    /** Deposits for token accounts that are still open. Solana only. */
    deposits: decimalSchema,
    /** What the buys cost more than the sells brought. */
    priceLoss: decimalSchema,
    /** What stays in the wallets: by this account, not by the chain. */
    left: decimalSchema,
    /** Tokens sent to the master because they could not be sold. */
    tokensRecovered: decimalSchema,
  }),
  wallets: z.array(
    z.strictObject({
      id: idSchema,
      address: z.string(),
      status: volumeWalletStatusSchema,
      funded: decimalSchema,
      recovered: decimalSchema,
      tokensRecovered: decimalSchema,
      /** What the chain last showed in it once it was drained or given up; null before. */
      leftNative: decimalSchema.nullable(),
      leftTokens: decimalSchema.nullable(),
      /** Why something is left. */
      problem: reasonSchema.nullable(),
      lastActivity: z.number().int().nullable(),
    }),
  ),
});
export type VolumeSessionDetail = z.infer<typeof volumeSessionDetailSchema>;
