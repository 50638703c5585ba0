import {
  BOT_FORM_INTERVAL_MIN_SEC,
  BOT_INTERVAL_DEFAULT_MAX_SEC,
  BOT_INTERVAL_DEFAULT_MIN_SEC,
  BOT_INTERVAL_MAX_SEC,
  NAME_MAX_LENGTH,
  rangeIssue,
  SLIPPAGE_PERCENT_DEFAULT,
  SLIPPAGE_PERCENT_MAX,
  SLIPPAGE_PERCENT_MIN,
  type Action,
  type Chain,
  type DexVersion,
  type ErrorCode,
  type Language,
} from '@kervan/contract';
import type { Bot } from '../../lib/bot.ts';
import { parseDecimalInput, typedNumber } from '../../lib/decimal.ts';

/** What stands in the fields of the form: numbers as they are typed. */
export interface BotValues {
  readonly name: string;
  readonly wallet_id: string;
  readonly action: Action;
  readonly amount_min: string;
  readonly amount_max: string;
  readonly range_time_min: string;
  readonly range_time_max: string;
  readonly token_address: string;
  /** BSC only, as is the router's version. */
  readonly slippage_percent: string;
  readonly pancakeswap_version: DexVersion;
  /** Edit only. */
  readonly is_active: boolean;
}
export type BotField = keyof BotValues;

/** Why a field is not accepted: a sentence of the contract, or one of the form's own with the bound it names. */
export type Problem =
  | { readonly code: ErrorCode }
  | { readonly key: 'wallet_required' | 'number_invalid' | 'name_long' }
  | { readonly key: 'at_least'; readonly bound: number }
  | { readonly key: 'between'; readonly low: number; readonly high: number };
export type Problems = Partial<Record<BotField, Problem>>;

/** The values as the API takes them. */
export interface CheckedBot {
  readonly name: string;
  readonly wallet_id: string;
  readonly action: Action;
  readonly amount_min: number;
  readonly amount_max: number;
  readonly range_time_min: number;
  readonly range_time_max: number;
  readonly token_address: string;
  readonly slippage_percent: number;
  readonly pancakeswap_version: DexVersion;
}

const DEFAULT_AMOUNTS: Readonly<Record<Chain, Readonly<Record<Action, readonly [number, number]>>>> = {
  solana: { buy: [1, 2], sell: [1, 2] },
  bsc: { buy: [0.01, 0.02], sell: [100, 500] },
};

interface AmountRule {
  /** The least amount. A sell on Solana may begin at 0: it draws at least the token's smallest unit. */
  readonly min: number;
  /** One press of an arrow key, as decimal text. */
  readonly step: string;
}

const AMOUNT_RULES: Readonly<Record<Chain, Readonly<Record<Action, AmountRule>>>> = {
  solana: { buy: { min: 0.01, step: '0.01' }, sell: { min: 0, step: '0.000001' } },
  bsc: { buy: { min: 0.0001, step: '0.0001' }, sell: { min: 0.0001, step: '1' } },
};

export function amountRule(chain: Chain, action: Action): AmountRule {
  return AMOUNT_RULES[chain][action];
}

export function newValues(chain: Chain, walletId: string, language: Language): BotValues {
  const [min, max] = DEFAULT_AMOUNTS[chain].buy;
  return {
    name: '',
    wallet_id: walletId,
    action: 'buy',
    amount_min: typedNumber(min, language),
    amount_max: typedNumber(max, language),
    range_time_min: String(BOT_INTERVAL_DEFAULT_MIN_SEC),
    range_time_max: String(BOT_INTERVAL_DEFAULT_MAX_SEC),
    token_address: '',
    slippage_percent: typedNumber(SLIPPAGE_PERCENT_DEFAULT, language),
    pancakeswap_version: 'v2',
    is_active: false,
  };
}

export function valuesOf(bot: Bot, language: Language): BotValues {
  const isBsc = 'slippage_percent' in bot;
  return {
    name: bot.name,
    wallet_id: bot.wallet_id,
    action: bot.action,
    amount_min: typedNumber(bot.amount_min, language),
    amount_max: typedNumber(bot.amount_max, language),
    range_time_min: String(bot.range_time_min),
    range_time_max: String(bot.range_time_max),
    token_address: bot.token_address ?? '',
    slippage_percent: typedNumber(isBsc ? bot.slippage_percent : SLIPPAGE_PERCENT_DEFAULT, language),
    pancakeswap_version: isBsc ? bot.pancakeswap_version : 'v2',
    is_active: bot.is_active,
  };
}

/** Switching the action brings its default amounts on BSC (spec §5), and a bot's own where they are for it. */
export function withAction(
  values: BotValues,
  action: Action,
  { chain, bot, language }: { chain: Chain; bot: Bot | undefined; language: Language },
): BotValues {
  if (chain !== 'bsc' || action === values.action) return { ...values, action };
  const [min, max] =
    bot?.action === action ? [bot.amount_min, bot.amount_max] : DEFAULT_AMOUNTS[chain][action];
  return {
    ...values,
    action,
    amount_min: typedNumber(min, language),
    amount_max: typedNumber(max, language),
  };
}

/** Blank intervals fall back to 30, a blank slippage to 1 (spec §5). */
export function withFallbacks(values: BotValues, language: Language): BotValues {
  const orElse = (text: string, fallback: number) =>
    text.trim() === '' ? typedNumber(fallback, language) : text;
  return {
    ...values,
    range_time_min: orElse(values.range_time_min, BOT_FORM_INTERVAL_MIN_SEC),
    range_time_max: orElse(values.range_time_max, BOT_FORM_INTERVAL_MIN_SEC),
    slippage_percent: orElse(values.slippage_percent, SLIPPAGE_PERCENT_DEFAULT),
  };
}

interface CheckContext {
  readonly chain: Chain;
  readonly language: Language;
  /** The bot that is edited. */
  readonly bot: Bot | undefined;
  /** Whether the address was found to be a token's; not asked when editing. */
  readonly isTokenValid: boolean;
}

/** The rules of spec §5 for both chains' forms. */
export function checkBot(
  values: BotValues,
  context: CheckContext,
): { readonly checked: CheckedBot } | { readonly problems: Problems } {
  const { chain, language, bot } = context;
  const problems: { -readonly [F in BotField]?: Problem } = {};
  const number = (field: BotField, text: string, check: (value: number) => Problem | undefined): number => {
    const decimal = parseDecimalInput(text, language);
    const value = Number(decimal);
    const problem = decimal === undefined ? { key: 'number_invalid' as const } : check(value);
    if (problem) problems[field] = problem;
    return value;
  };

  const name = values.name.trim();
  if (name === '') problems.name = { code: 'BOT_NAME_REQUIRED' };
  else if (name.length > NAME_MAX_LENGTH) problems.name = { key: 'name_long' };
  if (values.wallet_id === '') problems.wallet_id = { key: 'wallet_required' };

  const token_address = values.token_address.trim();
  const needsToken = chain === 'solana' || token_address !== '';
  if (needsToken && (bot ? token_address === '' : !context.isTokenValid))
    problems.token_address = { code: 'TOKEN_ADDRESS_INVALID' };

  const { min } = amountRule(chain, values.action);
  const amount = (value: number): Problem | undefined =>
    value < min ? { key: 'at_least', bound: min } : undefined;
  // A bot that was given a shorter interval over the API keeps it.
  const lowest = Math.min(BOT_FORM_INTERVAL_MIN_SEC, bot?.range_time_min ?? BOT_FORM_INTERVAL_MIN_SEC);
  const interval = (value: number): Problem | undefined =>
    !Number.isInteger(value) || value < lowest || value > BOT_INTERVAL_MAX_SEC
      ? { key: 'between', low: lowest, high: BOT_INTERVAL_MAX_SEC }
      : undefined;
  const slippage = (value: number): Problem | undefined =>
    value < SLIPPAGE_PERCENT_MIN || value > SLIPPAGE_PERCENT_MAX
      ? { key: 'between', low: SLIPPAGE_PERCENT_MIN, high: SLIPPAGE_PERCENT_MAX }
      : undefined;

  const ranges = {
    amount_min: number('amount_min', values.amount_min, amount),
    amount_max: number('amount_max', values.amount_max, amount),
    range_time_min: number('range_time_min', values.range_time_min, interval),
    range_time_max: number('range_time_max', values.range_time_max, interval),
  };
  for (const [low, high] of [
    ['amount_min', 'amount_max'],
    ['range_time_min', 'range_time_max'],
  ] as const) {
    if (problems[low] || problems[high]) continue;
    const issue = rangeIssue({ [low]: ranges[low], [high]: ranges[high] });
    if (issue) problems[low] = { code: issue.code };
  }
  const slippage_percent =
    chain === 'bsc'
      ? number('slippage_percent', values.slippage_percent, slippage)
      : SLIPPAGE_PERCENT_DEFAULT;

  if (Object.keys(problems).length > 0) return { problems };
  const { wallet_id, action, pancakeswap_version } = values;
  return {
    checked: { name, wallet_id, action, ...ranges, token_address, slippage_percent, pancakeswap_version },
  };
}
