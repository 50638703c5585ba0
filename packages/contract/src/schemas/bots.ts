import { z } from 'zod';
import {
  BOT_INTERVAL_MAX_SEC,
  BOT_INTERVAL_MIN_SEC,
  BOT_LOGS_FETCHED,
  LIST_PAGE_SIZE_MAX,
  SLIPPAGE_PERCENT_MAX,
  SLIPPAGE_PERCENT_MIN,
  SLIPPAGE_PERCENT_DEFAULT,
} from '../constants.ts';
import {
  actionSchema,
  bscAddress,
  dexVersionSchema,
  idSchema,
  logLevelSchema,
  nameSchema,
  networkSchema,
  pageQuery,
  solanaAddress,
  timestampSchema,
  type Action,
} from '../primitives.ts';

// An amount that a person types. Its exactness is that of its shortest decimal form.
const amountSchema = z.number().nonnegative().max(1e15);
const intervalSchema = z.number().int().min(BOT_INTERVAL_MIN_SEC).max(BOT_INTERVAL_MAX_SEC);
const slippageSchema = z.number().min(SLIPPAGE_PERCENT_MIN).max(SLIPPAGE_PERCENT_MAX);

interface Ranges {
  action?: Action | undefined;
  amount_min?: number | undefined;
  amount_max?: number | undefined;
  range_time_min?: number | undefined;
  range_time_max?: number | undefined;
}

/**
 * The range rules of spec §5, for whatever of the fields is present: minima below maxima, and nothing is bought for
 * nothing. A sell may begin at 0: what it draws is at least the token's smallest unit.
 */
export function rangeIssue(
  bot: Ranges,
):
  | { code: 'AMOUNT_NOT_POSITIVE' | 'AMOUNT_RANGE_INVALID' | 'INTERVAL_RANGE_INVALID'; field: string }
  | undefined {
  if (bot.action === 'buy' && bot.amount_min !== undefined && bot.amount_min <= 0)
    return { code: 'AMOUNT_NOT_POSITIVE', field: 'amount_min' };
  if (bot.amount_min !== undefined && bot.amount_max !== undefined && bot.amount_min >= bot.amount_max)
    return { code: 'AMOUNT_RANGE_INVALID', field: 'amount_min' };
  if (
    bot.range_time_min !== undefined &&
    bot.range_time_max !== undefined &&
    bot.range_time_min >= bot.range_time_max
  )
    return { code: 'INTERVAL_RANGE_INVALID', field: 'range_time_min' };
  return undefined;
}

function checkRanges(bot: Ranges, context: z.RefinementCtx) {
  const issue = rangeIssue(bot);
  if (issue) context.addIssue({ code: 'custom', message: issue.code, path: [issue.field] });
}

const common = {
  name: nameSchema('BOT_NAME_REQUIRED'),
  wallet_id: idSchema,
  action: actionSchema,
  amount_min: amountSchema,
  amount_max: amountSchema,
  range_time_min: intervalSchema,
  range_time_max: intervalSchema,
};

const solanaFields = { ...common, token_address: solanaAddress('TOKEN_ADDRESS_INVALID') };
const bscFields = {
  ...common,
  token_address: bscAddress('TOKEN_ADDRESS_INVALID').nullable().optional(),
  slippage_percent: slippageSchema.default(SLIPPAGE_PERCENT_DEFAULT),
  pancakeswap_version: dexVersionSchema.default('v2'),
};

export const createSolanaBotSchema = z.strictObject(solanaFields).superRefine(checkRanges);
export const createBscBotSchema = z.strictObject(bscFields).superRefine(checkRanges);

// An update sends what changes. The ranges are checked again with the stored values beside the sent ones.
export const updateSolanaBotSchema = z
  .strictObject({ ...solanaFields, is_active: z.boolean() })
  .partial()
  .superRefine(checkRanges);
export const updateBscBotSchema = z
  .strictObject({
    ...common,
    token_address: bscAddress('TOKEN_ADDRESS_INVALID').nullable(),
    slippage_percent: slippageSchema,
    pancakeswap_version: dexVersionSchema,
    is_active: z.boolean(),
  })
  .partial()
  .superRefine(checkRanges);

const stored = {
  id: idSchema,
  name: z.string(),
  wallet_id: idSchema,
  action: actionSchema,
  amount_min: z.number(),
  amount_max: z.number(),
  range_time_min: z.number().int(),
  range_time_max: z.number().int(),
  is_active: z.boolean(),
  last_run: timestampSchema.nullable(),
  created_at: timestampSchema,
  execution_count: z.number().int(),
  network: networkSchema,
  token_symbol: z.string().nullable(),
  /** Milliseconds since the epoch of the next run, while active. */
  nextRunAt: z.number().int().nullable(),
  /** The delay drawn for the next run, while active. */
  intervalSec: z.number().nullable(),
};

export const solanaBotSchema = z.strictObject({ ...stored, token_address: z.string() });
export type SolanaBot = z.infer<typeof solanaBotSchema>;

export const bscBotSchema = z.strictObject({
  ...stored,
  token_address: z.string().nullable(),
  slippage_percent: z.number(),
  pancakeswap_version: dexVersionSchema,
});
export type BscBot = z.infer<typeof bscBotSchema>;

export const botLogsQuery = z.strictObject({
  page: pageQuery.page,
  limit: z.coerce.number().int().min(1).max(LIST_PAGE_SIZE_MAX).default(BOT_LOGS_FETCHED),
});

export const botLogSchema = z.strictObject({
  id: z.string(),
  bot_id: idSchema,
  created_at: timestampSchema,
  level: logLevelSchema,
  message: z.string(),
  /** JSON text: `code` names the event for translation, the rest is its figures. */
  data: z.string().nullable(),
});
export type BotLog = z.infer<typeof botLogSchema>;

export const executeResultSchema = z.strictObject({ tradeId: idSchema });
