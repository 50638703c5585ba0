import {
  FAST_SWAP_BSC_WALLETS_MAX,
  FAST_SWAP_PERCENT_DEFAULT,
  FAST_SWAP_SLIPPAGE_DEFAULT_BPS,
  FAST_SWAP_SLIPPAGE_MAX_PERCENT,
  FAST_SWAP_WALLETS_MAX,
  GAS_PRICE_CUSTOM_DEFAULT_GWEI,
  GAS_PRICE_CUSTOM_MAX_GWEI,
  GAS_PRICE_CUSTOM_MIN_GWEI,
  SLIPPAGE_PERCENT_DEFAULT,
  SLIPPAGE_PERCENT_MIN,
  type Action,
  type Chain,
  type DexVersion,
  type ErrorCode,
  type GasPrice,
  type GasTier,
  type Language,
} from '@kervan/contract';
import { parseDecimalInput, typedNumber } from '../../lib/decimal.ts';
import { readPastedKeys } from './pasted-keys.ts';

/** What stands in the fields of the form: numbers as they are typed. */
export interface SwapValues {
  readonly mode: Action;
  readonly tokenAddress: string;
  readonly percent: number;
  /** Basis points on Solana, where blank is the default; a percent on BSC. */
  readonly slippage: string;
  readonly walletIds: ReadonlySet<string>;
  /** BSC only, as is all that follows. */
  readonly version: DexVersion;
  readonly gas: GasTier | 'custom';
  readonly customGas: string;
  readonly payment: 'stored' | 'pasted';
  readonly pastedKeys: string;
}

export type SwapField = 'tokenAddress' | 'slippage' | 'wallets' | 'customGas' | 'pastedKeys';

/** Why a field is not accepted: a sentence of the contract, or one of the form's own. */
export type Problem =
  | { readonly code: ErrorCode }
  | { readonly key: 'token_required' | 'keys_invalid' | 'slippage_whole' }
  | { readonly key: 'between'; readonly low: number; readonly high: number }
  | { readonly key: 'too_many'; readonly count: number };
export type Problems = Partial<Record<SwapField, Problem>>;

interface Common {
  readonly mode: Action;
  readonly tokenAddress: string;
  readonly percent: number;
  readonly walletIds: string[];
}

/** One call of the API, as its body. */
export type SwapBatch =
  | { readonly chain: 'solana'; readonly body: Common & { readonly slippageBps: number } }
  | {
      readonly chain: 'bsc';
      readonly body: Common & {
        readonly privateKeys: string[];
        readonly slippageBps: number;
        readonly pancakeSwapVersion: DexVersion;
        readonly gasPrice: GasPrice;
      };
    };

export function newValues(language: Language): SwapValues {
  return {
    mode: 'buy',
    tokenAddress: '',
    percent: FAST_SWAP_PERCENT_DEFAULT,
    slippage: '',
    walletIds: new Set(),
    version: 'v2',
    gas: 'fast',
    customGas: typedNumber(GAS_PRICE_CUSTOM_DEFAULT_GWEI, language),
    payment: 'stored',
    pastedKeys: '',
  };
}

export function defaultSlippage(chain: Chain): number {
  return chain === 'solana' ? FAST_SWAP_SLIPPAGE_DEFAULT_BPS : SLIPPAGE_PERCENT_DEFAULT;
}

interface CheckContext {
  readonly chain: Chain;
  readonly language: Language;
  readonly isTokenValid: boolean;
  /** The chosen wallets that can still trade, in the order shown. */
  readonly walletIds: readonly string[];
}

/** Checks by spec §5, and makes the calls: batches of at most five on Solana, one on BSC. */
export function checkSwap(
  values: SwapValues,
  context: CheckContext,
): { readonly problems: Problems } | { readonly batches: readonly [SwapBatch, ...SwapBatch[]] } {
  const { chain, language, isTokenValid } = context;
  const problems: Problems = {};
  if (values.tokenAddress.trim() === '') problems.tokenAddress = { key: 'token_required' };
  else if (!isTokenValid) problems.tokenAddress = { code: 'TOKEN_ADDRESS_INVALID' };

  const slippage = readSlippage(values.slippage, chain, language);
  if (typeof slippage !== 'number') problems.slippage = slippage;

  const isPasted = chain === 'bsc' && values.payment === 'pasted';
  const { keys } = readPastedKeys(isPasted ? values.pastedKeys : '');
  const walletIds = isPasted ? [] : [...context.walletIds];
  if (isPasted && keys.length === 0) problems.pastedKeys = { key: 'keys_invalid' };
  if (!isPasted && walletIds.length === 0) problems.wallets = { code: 'FAST_SWAP_WALLETS_REQUIRED' };
  if (chain === 'bsc' && walletIds.length + keys.length > FAST_SWAP_BSC_WALLETS_MAX)
    problems[isPasted ? 'pastedKeys' : 'wallets'] = { key: 'too_many', count: FAST_SWAP_BSC_WALLETS_MAX };

  const gasPrice = readGas(values, chain, language);
  if (typeof gasPrice === 'object') problems.customGas = gasPrice;

  if (Object.keys(problems).length > 0 || typeof slippage !== 'number' || typeof gasPrice === 'object')
    return { problems };
  const common = { mode: values.mode, tokenAddress: values.tokenAddress.trim(), percent: values.percent };
  if (chain === 'bsc') {
    const { version: pancakeSwapVersion } = values;
    const body = {
      ...common,
      walletIds,
      privateKeys: [...keys],
      slippageBps: slippage,
      pancakeSwapVersion,
      gasPrice,
    };
    return { batches: [{ chain, body }] };
  }
  const batch = (ids: string[]): SwapBatch => ({
    chain,
    body: { ...common, walletIds: ids, slippageBps: slippage },
  });
  const batches: [SwapBatch, ...SwapBatch[]] = [batch(walletIds.slice(0, FAST_SWAP_WALLETS_MAX))];
  for (let start = FAST_SWAP_WALLETS_MAX; start < walletIds.length; start += FAST_SWAP_WALLETS_MAX)
    batches.push(batch(walletIds.slice(start, start + FAST_SWAP_WALLETS_MAX)));
  return { batches };
}

function readSlippage(text: string, chain: Chain, language: Language): number | Problem {
  if (text.trim() === '') return defaultSlippage(chain);
  const value = Number(parseDecimalInput(text, language) ?? Number.NaN);
  const bounds =
    chain === 'solana'
      ? { low: 0, high: FAST_SWAP_SLIPPAGE_MAX_PERCENT * 100 }
      : { low: SLIPPAGE_PERCENT_MIN, high: FAST_SWAP_SLIPPAGE_MAX_PERCENT };
  if (chain === 'solana' && value % 1 > 0) return { key: 'slippage_whole' };
  return value >= bounds.low && value <= bounds.high ? value : { key: 'between', ...bounds };
}

function readGas({ gas, customGas }: SwapValues, chain: Chain, language: Language): GasPrice | Problem {
  if (chain === 'solana' || gas !== 'custom') return gas === 'custom' ? 'fast' : gas;
  const value = Number(parseDecimalInput(customGas, language) ?? Number.NaN);
  const bounds = { low: GAS_PRICE_CUSTOM_MIN_GWEI, high: GAS_PRICE_CUSTOM_MAX_GWEI };
  return value >= bounds.low && value <= bounds.high ? value : { key: 'between', ...bounds };
}
