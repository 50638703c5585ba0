import { z } from 'zod';
import { chainSchema, positiveDecimalSchema } from '../primitives.ts';

const rateSchema = z.number().min(0).max(1);

/** What goes wrong on purpose on one sandbox chain, for tests and demonstrations. */
export const weatherSchema = z.strictObject({
  latencyMs: z.number().int().min(0).max(10_000),
  /** Share of RPC calls answered with HTTP 429. */
  tooManyRequestsRate: rateSchema,
  /** Share of sends that are acknowledged and never arrive. */
  dropSendRate: rateSchema,
  /** Share of sends that arrive and whose answer is then lost. */
  loseAnswerRate: rateSchema,
  /** While true, every blockhash handed out is already expired (Solana). */
  expireBlockhashes: z.boolean(),
  /** Index of the bundle leg that fails (Solana). */
  failBundleLeg: z.number().int().min(0).max(4).nullable(),
  unreachable: z.boolean(),
});
export type Weather = z.infer<typeof weatherSchema>;

export const FAIR_WEATHER: Weather = {
  latencyMs: 0,
  tooManyRequestsRate: 0,
  dropSendRate: 0,
  loseAnswerRate: 0,
  expireBlockhashes: false,
  failBundleLeg: null,
  unreachable: false,
};

export const bothWeathersSchema = z.strictObject({ solana: weatherSchema, bsc: weatherSchema });
export const updateWeatherSchema = z.strictObject({
  solana: weatherSchema.partial().optional(),
  bsc: weatherSchema.partial().optional(),
});

const tokenFields = {
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.number().int(),
};

export const solanaSandboxSchema = z.object({
  genesisHash: z.string(),
  tokens: z.array(z.object(tokenFields)),
  /** Programs that swap transactions call. */
  programs: z.array(z.string()),
});

export const bscSandboxSchema = z.object({
  chainId: z.number().int(),
  tokens: z.array(z.object({ ...tokenFields, taxBps: z.number().int() })),
  contracts: z.object({
    wbnb: z.string(),
    v2Factory: z.string(),
    v2Router: z.string(),
    v3Factory: z.string(),
    v3Quoter: z.string(),
    v3Router: z.string(),
    multicall3: z.string(),
  }),
});

export const sandboxSchema = z.strictObject({
  solana: solanaSandboxSchema.extend({ rpcUrl: z.string(), wsUrl: z.string() }),
  bsc: bscSandboxSchema.extend({ rpcUrl: z.string() }),
});

export const faucetSchema = z.strictObject({
  chain: chainSchema,
  address: z.string().trim().min(1).max(64),
  /** Whole SOL, BNB or tokens. */
  amount: positiveDecimalSchema,
  tokenAddress: z.string().trim().min(1).max(64).optional(),
});

export const faucetResultSchema = z.strictObject({ txId: z.string() });
