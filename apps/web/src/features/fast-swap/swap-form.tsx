import { Button, Stack } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { dexVersionSchema, type Chain, type Token } from '@kervan/contract';
import { codeText } from '../../lib/api-error.ts';
import { typedNumber } from '../../lib/decimal.ts';
import { formatExact } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useTokenLookup } from '../../lib/use-token-lookup.ts';
import { Choice } from '../../ui/choice.tsx';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TokenField } from '../../ui/token-field.tsx';
import classes from './fast-swap.module.css';
import { GasField } from './gas-field.tsx';
import { KeysField, PaymentField } from './payment-field.tsx';
import { PercentField } from './percent-field.tsx';
import { readRecentTokens } from './recent-tokens.ts';
import { RecentTokensRow } from './recent-tokens-row.tsx';
import type { BatchWallet } from './swap-run.ts';
import {
  checkSwap,
  defaultSlippage,
  type Problem,
  type Problems,
  type SwapBatch,
  type SwapField,
  type SwapValues,
} from './swap-values.ts';
import { useFundableWallets } from './use-fundable-wallets.ts';
import { WalletPicker } from './wallet-picker.tsx';

/** What the form has come to: the calls that make the swap, to be reviewed. */
export interface SwapDraft {
  readonly token: Token;
  readonly batches: readonly [SwapBatch, ...SwapBatch[]];
  /** Names of the stored wallets, by id. */
  readonly wallets: readonly BatchWallet[];
}

interface SwapFormProps {
  chain: Chain;
  values: SwapValues;
  onChange: (changed: Partial<SwapValues>) => void;
  /** A swap is under way: another one waits for its end. */
  isBusy: boolean;
  onReview: (draft: SwapDraft) => void;
}

export function SwapForm({ chain, values, onChange, isBusy, onReview }: SwapFormProps) {
  const { t } = useTranslation('fastswap');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const [problems, setProblems] = useState<Problems>({});
  const [attempt, setAttempt] = useState(0);
  const lookup = useTokenLookup(chain, values.tokenAddress);
  const token = lookup.state === 'valid' ? lookup.token : undefined;
  const fundable = useFundableWallets({ chain, mode: values.mode, tokenAddress: token?.address ?? '' });
  const isPasted = chain === 'bsc' && values.payment === 'pasted';

  const fieldId = (field: SwapField) => `${id}-${field}`;
  const number = (value: number) => formatExact(String(value), language);
  const textOf = (problem: Problem): string => {
    if ('code' in problem) return codeText(problem.code, {}, language) ?? problem.code;
    switch (problem.key) {
      case 'between':
        return t('problem.between', { low: number(problem.low), high: number(problem.high) });
      case 'too_many':
        return t('problem.too_many', { limit: number(problem.count) });
      case 'token_required':
      case 'keys_invalid':
      case 'slippage_whole':
        return t(`problem.${problem.key}`);
    }
  };
  // An address that was still being looked up is no problem any more once it is known.
  const { tokenAddress: tokenProblem, ...others } = problems;
  const standing: Problems =
    token === undefined && tokenProblem ? { tokenAddress: tokenProblem, ...others } : others;
  const errorOf = (field: SwapField) => {
    const problem = standing[field];
    return problem && textOf(problem);
  };
  const errors: FormError[] = Object.entries(standing).map(([field, problem]) => ({
    fieldId: `${id}-${field}`,
    text: textOf(problem),
  }));

  function change(changed: Partial<SwapValues>, ...fields: SwapField[]): void {
    onChange(changed);
    setProblems((before) =>
      Object.fromEntries(
        Object.entries(before).filter(([field]) => !fields.some((changedField) => changedField === field)),
      ),
    );
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isBusy) return;
    const chosen = (fundable.wallets ?? []).filter((wallet) => values.walletIds.has(wallet.id));
    const result = checkSwap(values, {
      chain,
      language,
      isTokenValid: token !== undefined,
      walletIds: chosen.map((wallet) => wallet.id),
    });
    setProblems('problems' in result ? result.problems : {});
    if ('problems' in result || token === undefined) return setAttempt((count) => count + 1);
    onReview({ token, batches: result.batches, wallets: chosen });
  }

  // Spec §5: the BSC form can't be sent before it is filled in, the Solana one says what is missing.
  const isIncomplete =
    chain === 'bsc' &&
    (values.tokenAddress.trim() === '' ||
      (isPasted ? values.pastedKeys.trim() === '' : values.walletIds.size === 0));
  return (
    <form noValidate onSubmit={submit} aria-label={t(`title.${chain}`)}>
      <Stack gap="md">
        <FormErrors errors={errors} attempt={attempt} />
        <Choice
          label={t('mode')}
          value={values.mode}
          options={[
            { value: 'buy', label: t('buy') },
            { value: 'sell', label: t('sell') },
          ]}
          onChange={(mode) => change({ mode, walletIds: new Set() }, 'wallets')}
        />
        <div>
          <TokenField
            id={fieldId('tokenAddress')}
            chain={chain}
            value={values.tokenAddress}
            onChange={(tokenAddress) => change({ tokenAddress }, 'tokenAddress')}
            lookup={lookup}
            error={errorOf('tokenAddress')}
          />
          <RecentTokensRow
            tokens={readRecentTokens(chain, localStorage)}
            onChoose={(tokenAddress) => change({ tokenAddress }, 'tokenAddress')}
          />
        </div>
        <PercentField mode={values.mode} value={values.percent} onChange={(percent) => change({ percent })} />
        <div className={classes.pair}>
          <NumberField
            id={fieldId('slippage')}
            label={t(`slippage.${chain}`)}
            value={values.slippage}
            onChange={(slippage) => change({ slippage }, 'slippage')}
            placeholder={typedNumber(defaultSlippage(chain), language)}
            step={chain === 'solana' ? '1' : '0.1'}
            unit={chain === 'solana' ? 'bps' : '%'}
            error={errorOf('slippage')}
            isWhole={chain === 'solana'}
          />
          {chain === 'bsc' && (
            <Choice
              label={t('version')}
              value={values.version}
              options={dexVersionSchema.options.map((version) => ({ value: version, label: version }))}
              onChange={(version) => change({ version })}
            />
          )}
        </div>
        {chain === 'bsc' && (
          <>
            <GasField
              id={fieldId('customGas')}
              values={values}
              onChange={(changed) => change(changed, 'customGas')}
              error={errorOf('customGas')}
            />
            <PaymentField
              value={values.payment}
              onChange={(payment) => change({ payment, pastedKeys: '' }, 'wallets', 'pastedKeys')}
            />
          </>
        )}
        {isPasted ? (
          <KeysField
            id={fieldId('pastedKeys')}
            value={values.pastedKeys}
            onChange={(pastedKeys) => change({ pastedKeys }, 'pastedKeys')}
            error={errorOf('pastedKeys')}
          />
        ) : (
          <WalletPicker
            id={fieldId('wallets')}
            chain={chain}
            mode={values.mode}
            tokenSymbol={token?.symbol ?? ''}
            fundable={fundable}
            chosen={values.walletIds}
            onChange={(walletIds) => change({ walletIds }, 'wallets')}
            error={errorOf('wallets')}
          />
        )}
        <Button type="submit" disabled={isIncomplete} loading={isBusy} fullWidth>
          {isBusy ? common('loading') : t('review')}
        </Button>
      </Stack>
    </form>
  );
}
