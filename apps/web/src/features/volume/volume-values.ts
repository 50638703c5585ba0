import {
  SLIPPAGE_PERCENT_DEFAULT,
  SLIPPAGE_PERCENT_MAX,
  SLIPPAGE_PERCENT_MIN,
  VOLUME_BNB_DEFAULT_MAX,
  VOLUME_BNB_DEFAULT_MIN,
  VOLUME_BNB_MAX,
  VOLUME_BNB_MIN,
  VOLUME_INTERVAL_DEFAULT_MS,
  VOLUME_INTERVAL_MAX_MS,
  VOLUME_INTERVAL_MIN_MS,
  VOLUME_SLIPPAGE_BPS_DEFAULT,
  VOLUME_SOL_DEFAULT_MAX,
  VOLUME_SOL_DEFAULT_MIN,
  VOLUME_SOL_MAX,
  VOLUME_SOL_MIN,
  VOLUME_WALLETS_DEFAULT,
  VOLUME_WALLETS_MAX,
  VOLUME_WALLETS_MIN,
  type BodySentTo,
  type Chain,
  type Language,
  type routes,
} from '@kervan/contract';
import { parseDecimalInput, typedNumber } from '../../lib/decimal.ts';

/** What stands in the fields of the form: numbers as they are typed. */
export interface VolumeValues {
  /** BSC only: a wallet of the vault, or a key that is pasted for this one session. */
  readonly funding: 'stored' | 'key';
  readonly masterWalletId: string;
  readonly masterKey: string;
  readonly tokenAddress: string;
  readonly walletCount: string;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly intervalSec: string;
  /** Basis points on Solana, a percent on BSC. */
  readonly slippage: string;
}

export type NumberFieldName = 'walletCount' | 'minAmount' | 'maxAmount' | 'intervalSec' | 'slippage';

export interface Rule {
  readonly low: number;
  readonly high: number;
  /** One press of an arrow key, as decimal text. */
  readonly step: string;
  readonly isWhole: boolean;
}

const COMMON = {
  walletCount: { low: VOLUME_WALLETS_MIN, high: VOLUME_WALLETS_MAX, step: '1', isWhole: true },
  intervalSec: {
    low: VOLUME_INTERVAL_MIN_MS / 1000,
    high: VOLUME_INTERVAL_MAX_MS / 1000,
    step: '1',
    isWhole: true,
  },
} as const;
const sol: Rule = { low: VOLUME_SOL_MIN, high: VOLUME_SOL_MAX, step: '0.01', isWhole: false };
const bnb: Rule = { low: VOLUME_BNB_MIN, high: VOLUME_BNB_MAX, step: '0.001', isWhole: false };

/** Spec §5. */
export const RULES: Readonly<Record<Chain, Readonly<Record<NumberFieldName, Rule>>>> = {
  solana: {
    ...COMMON,
    minAmount: sol,
    maxAmount: sol,
    slippage: {
      low: SLIPPAGE_PERCENT_MIN * 100,
      high: SLIPPAGE_PERCENT_MAX * 100,
      step: '1',
      isWhole: true,
    },
  },
  bsc: {
    ...COMMON,
    minAmount: bnb,
    maxAmount: bnb,
    slippage: { low: SLIPPAGE_PERCENT_MIN, high: SLIPPAGE_PERCENT_MAX, step: '0.1', isWhole: false },
  },
};

export function newValues(chain: Chain, language: Language): VolumeValues {
  const [min, max, slippage] =
    chain === 'solana'
      ? [VOLUME_SOL_DEFAULT_MIN, VOLUME_SOL_DEFAULT_MAX, VOLUME_SLIPPAGE_BPS_DEFAULT]
      : [VOLUME_BNB_DEFAULT_MIN, VOLUME_BNB_DEFAULT_MAX, SLIPPAGE_PERCENT_DEFAULT];
  return {
    funding: 'stored',
    masterWalletId: '',
    masterKey: '',
    tokenAddress: '',
    walletCount: String(VOLUME_WALLETS_DEFAULT),
    minAmount: typedNumber(min, language),
    maxAmount: typedNumber(max, language),
    intervalSec: String(VOLUME_INTERVAL_DEFAULT_MS / 1000),
    slippage: typedNumber(slippage, language),
  };
}

export type Problem = { readonly key: 'between'; readonly rule: Rule } | { readonly key: 'range' };
export type Problems = Partial<Record<NumberFieldName, Problem>>;

/** The call that starts the session. */
export type StartCall =
  | { readonly chain: 'solana'; readonly body: BodySentTo<(typeof routes)['startVolume']> }
  | { readonly chain: 'bsc'; readonly body: BodySentTo<(typeof routes)['startBscVolume']> };

export type CheckResult = { readonly problems: Problems } | { readonly call: StartCall };

/** Checks every number by its bounds, and makes the call. */
export function checkVolume(values: VolumeValues, chain: Chain, language: Language): CheckResult {
  const problems: Problems = {};
  const read = (field: NumberFieldName): number => {
    const rule = RULES[chain][field];
    const value = Number(parseDecimalInput(values[field], language) ?? Number.NaN);
    const isFine = value >= rule.low && value <= rule.high && !(rule.isWhole && value % 1 > 0);
    if (!isFine) problems[field] = { key: 'between', rule };
    return value;
  };
  const walletCount = read('walletCount');
  const minAmount = read('minAmount');
  const maxAmount = read('maxAmount');
  const tradingIntervalMs = read('intervalSec') * 1000;
  const slippageBps = read('slippage');
  if (minAmount >= maxAmount) problems.minAmount ??= { key: 'range' };
  if (Object.keys(problems).length > 0) return { problems };

  const common = { walletCount, tradingIntervalMs, slippageBps, tokenAddress: values.tokenAddress.trim() };
  if (chain === 'solana') {
    const { masterWalletId } = values;
    return {
      call: { chain, body: { ...common, masterWalletId, minSolAmount: minAmount, maxSolAmount: maxAmount } },
    };
  }
  const master =
    values.funding === 'key'
      ? { masterPrivateKey: values.masterKey.trim() }
      : { masterWalletId: values.masterWalletId };
  return {
    call: { chain, body: { ...common, ...master, minBnbAmount: minAmount, maxBnbAmount: maxAmount } },
  };
}

/** Spec §5: what must be there before a session can be started. */
export function canStart(
  values: VolumeValues,
  { chain, language, isTokenValid }: { chain: Chain; language: Language; isTokenValid: boolean },
): boolean {
  const isFunded =
    chain === 'bsc' && values.funding === 'key'
      ? values.masterKey.trim() !== ''
      : values.masterWalletId !== '';
  const [min, max] = [values.minAmount, values.maxAmount].map((text) =>
    Number(parseDecimalInput(text, language) ?? Number.NaN),
  );
  return isFunded && isTokenValid && (min ?? Number.NaN) < (max ?? Number.NaN);
}
