import { z } from 'zod';
import { ENTERPRISE_PAGE_SIZE, PAGE_SIZE_MAX } from '../constants.ts';
import {
  actionSchema,
  decimalSchema,
  idSchema,
  networkSchema,
  pageQuery,
  timestampSchema,
} from '../primitives.ts';

/** US dollars as a person types them into a filter; an empty field is no bound. */
const usdBoundSchema = z
  .string()
  .trim()
  .max(40)
  .regex(/^(-?\d+(\.\d+)?)?$/, 'DECIMAL_INVALID')
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const filters = {
  chain: z.enum(['all', 'solana', 'bsc']).default('all'),
  type: z.enum(['all', 'buy', 'sell']).default('all'),
  /** Executed within so many days before now. */
  dateRange: z.enum(['1d', '7d', '30d', '90d', 'all']).default('7d'),
  /** Bounds of the USD value, both included. With a bound, trades of unknown value are left out. */
  minUsd: usdBoundSchema,
  maxUsd: usdBoundSchema,
  /** Left out: trades of every network. */
  network: networkSchema.optional(),
};

export const enterpriseLogsCsvQuery = z.strictObject(filters);
export type EnterpriseFilters = z.output<typeof enterpriseLogsCsvQuery>;

export const enterpriseLogsQuery = z.strictObject({
  page: pageQuery.page,
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(ENTERPRISE_PAGE_SIZE),
  ...filters,
});

const entryFields = {
  /** The trade's id. */
  id: idSchema,
  date: timestampSchema,
  type: actionSchema,
  network: networkSchema,
  /** What the native amount was worth when the trade ended; null: no price was known then. */
  usd: decimalSchema.nullable(),
  tokenAmount: decimalSchema,
  tokenAddress: z.string(),
  tokenSymbol: z.string().nullable(),
  /** USD for one token. */
  price: decimalSchema.nullable(),
  /** The wallet's address. */
  maker: z.string(),
  /** The transaction's signature or hash. */
  txn: z.string(),
};

/** A successful trade (spec §3). */
export const enterpriseLogSchema = z.discriminatedUnion('chain', [
  z.strictObject({ ...entryFields, chain: z.literal('solana'), solAmount: decimalSchema }),
  z.strictObject({ ...entryFields, chain: z.literal('bsc'), bnbAmount: decimalSchema }),
]);
export type EnterpriseLog = z.infer<typeof enterpriseLogSchema>;

/** Newest first. */
export const enterpriseLogListSchema = z.strictObject({
  logs: z.array(enterpriseLogSchema),
  total: z.number().int(),
  page: z.number().int(),
  limit: z.number().int(),
});
