import { Button, NativeSelect, PasswordInput, Stack } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { NATIVE, type Chain } from '@kervan/contract';
import { codeText } from '../../lib/api-error.ts';
import { formatExact, shorten } from '../../lib/format.ts';
import { useNetworkKinds } from '../../lib/hooks.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useTokenLookup } from '../../lib/use-token-lookup.ts';
import { Choice } from '../../ui/choice.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TokenField } from '../../ui/token-field.tsx';
import { useStoredWallets } from '../../lib/use-stored-wallets.ts';
import {
  canStart,
  checkVolume,
  newValues,
  RULES,
  type NumberFieldName,
  type Problem,
  type Problems,
  type StartCall,
  type VolumeValues,
} from './volume-values.ts';
import classes from './volume.module.css';

interface VolumeFormProps {
  chain: Chain;
  /** Never rejects: what went wrong is shown above the form. */
  onStart: (call: StartCall) => Promise<void>;
}

/** What a session is started with. */
export function VolumeForm({ chain, onStart }: VolumeFormProps) {
  const { t } = useTranslation('volume');
  const language = useLanguage();
  const confirm = useConfirm();
  const id = useId();
  const isLive = useNetworkKinds()[chain] === 'live';
  const { data: masters } = useStoredWallets(chain);
  const [values, setValues] = useState<VolumeValues>(() => newValues(chain, language));
  const [problems, setProblems] = useState<Problems>({});
  const [attempt, setAttempt] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const lookup = useTokenLookup(chain, values.tokenAddress);
  // Spec §5: BSC asks for an address only; whether it is a token, the server says.
  const isTokenValid = chain === 'bsc' ? values.tokenAddress.trim() !== '' : lookup.state === 'valid';
  const { symbol } = NATIVE[chain];
  const isPasted = chain === 'bsc' && values.funding === 'key';
  const hasNoWallets = masters?.length === 0;

  const number = (value: number) => formatExact(String(value), language);
  const textOf = (problem: Problem): string =>
    problem.key === 'range'
      ? (codeText('AMOUNT_RANGE_INVALID', {}, language) ?? problem.key)
      : t(problem.rule.isWhole ? 'problem.between_whole' : 'problem.between', {
          low: number(problem.rule.low),
          high: number(problem.rule.high),
        });
  const errors: FormError[] = Object.entries(problems).map(([field, problem]) => ({
    fieldId: `${id}-${field}`,
    text: textOf(problem),
  }));

  function change(changed: Partial<VolumeValues>): void {
    setValues((before) => ({ ...before, ...changed }));
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in changed))),
    );
  }

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const result = checkVolume(values, chain, language);
    setProblems('problems' in result ? result.problems : {});
    if ('problems' in result) return setAttempt((count) => count + 1);
    const master = masters?.find((wallet) => wallet.id === values.masterWalletId);
    const isConfirmed = await confirm({
      title: t('start_title'),
      body: t(isPasted ? 'start_body_key' : 'start_body', {
        count: result.call.body.walletCount,
        min: values.minAmount,
        max: values.maxAmount,
        symbol,
        master: master?.name ?? '',
      }),
      verb: t('start'),
      chain,
    });
    if (!isConfirmed) return;
    // Once it is on its way, the page has no more use for a pasted key.
    change({ masterKey: '' });
    setBusy(true);
    await onStart(result.call);
    setBusy(false);
  }

  const numberField = (field: NumberFieldName, label: string, unit: string) => {
    const { step, isWhole } = RULES[chain][field];
    const problem = problems[field];
    return (
      <NumberField
        id={`${id}-${field}`}
        label={label}
        value={values[field]}
        onChange={(text) => change({ [field]: text })}
        step={step}
        unit={unit}
        error={problem && textOf(problem)}
        isWhole={isWhole}
      />
    );
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label={t('form')}>
      <fieldset disabled={isLive} className={classes.fieldset}>
        <Stack gap="md">
          <FormErrors errors={errors} attempt={attempt} />
          {chain === 'bsc' && (
            <Choice
              label={t('funding')}
              value={values.funding}
              options={[
                { value: 'stored', label: t('funding_stored') },
                { value: 'key', label: t('funding_key') },
              ]}
              onChange={(funding) => change({ funding, masterKey: '' })}
            />
          )}
          {isPasted ? (
            <PasswordInput
              label={t('master_key')}
              description={t('master_key_hint')}
              placeholder="0x..."
              value={values.masterKey}
              onChange={(event) => change({ masterKey: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
              visibilityToggleButtonProps={{ 'aria-label': t('show_key'), tabIndex: 0 }}
            />
          ) : (
            <NativeSelect
              label={t('master')}
              value={values.masterWalletId}
              onChange={(event) => change({ masterWalletId: event.currentTarget.value })}
              error={hasNoWallets ? t('no_stored') : undefined}
              data={[
                { value: '', label: t('choose_wallet') },
                ...(masters ?? []).map((wallet) => ({
                  value: wallet.id,
                  label: `${wallet.name} (${shorten(wallet.address)})`,
                })),
              ]}
            />
          )}
          <TokenField
            id={`${id}-tokenAddress`}
            chain={chain}
            value={values.tokenAddress}
            onChange={(tokenAddress) => change({ tokenAddress })}
            lookup={lookup}
            error={undefined}
          />
          <div className={classes.pair}>
            {numberField('walletCount', t('wallet_count'), '')}
            {numberField('intervalSec', t('interval'), t('seconds'))}
          </div>
          <div className={classes.pair}>
            {numberField('minAmount', t('min_amount'), symbol)}
            {numberField('maxAmount', t('max_amount'), symbol)}
          </div>
          {numberField('slippage', t('slippage'), chain === 'solana' ? 'bps' : '%')}
          <Button
            type="submit"
            loading={isBusy}
            disabled={isLive || !canStart(values, { chain, language, isTokenValid })}
          >
            {t('start')}
          </Button>
        </Stack>
      </fieldset>
    </form>
  );
}
