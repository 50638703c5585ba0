import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { dexVersionSchema, NATIVE, type Action, type Chain, type DexVersion } from '@kervan/contract';
import { codeText, errorText } from '../../lib/api-error.ts';
import type { Bot } from '../../lib/bot.ts';
import { formatExact } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useTokenLookup } from '../../lib/use-token-lookup.ts';
import { Choice } from '../../ui/choice.tsx';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TokenField } from '../../ui/token-field.tsx';
import {
  amountRule,
  checkBot,
  newValues,
  valuesOf,
  withAction,
  withFallbacks,
  type BotField,
  type BotValues,
  type Problem,
  type Problems,
} from './bot-values.ts';
import classes from './bots.module.css';
import type { BotCommands } from './use-bot-commands.ts';
import type { StoredWallet } from '../../lib/use-stored-wallets.ts';

interface BotFormProps {
  chain: Chain;
  /** The bot to edit; a new one without it. */
  bot?: Bot | undefined;
  wallets: readonly StoredWallet[];
  commands: Pick<BotCommands, 'create' | 'update'>;
  onDone: () => void;
}

/** The form of a new bot, or of one that is there. */
export function BotForm({ chain, bot, wallets, commands, onDone }: BotFormProps) {
  const { t } = useTranslation('bots');
  const { t: common } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const [values, setValues] = useState<BotValues>(() =>
    bot ? valuesOf(bot, language) : newValues(chain, wallets[0]?.id ?? '', language),
  );
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [isSubmitting, setSubmitting] = useState(false);
  const lookup = useTokenLookup(chain, values.token_address);

  const textOf = (problem: Problem): string => {
    if ('code' in problem) return codeText(problem.code, {}, language) ?? problem.code;
    const number = (value: number) => formatExact(String(value), language);
    switch (problem.key) {
      case 'at_least':
        return t('problem.at_least', { bound: number(problem.bound) });
      case 'between':
        return t('problem.between', { low: number(problem.low), high: number(problem.high) });
      case 'wallet_required':
      case 'number_invalid':
      case 'name_long':
        return t(`problem.${problem.key}`);
    }
  };
  const fieldId = (field: BotField) => `${id}-${field}`;
  const errorOf = (field: BotField) => {
    const problem = problems[field];
    return problem && textOf(problem);
  };
  const errors: FormError[] = Object.entries(problems).map(([field, problem]) => ({
    fieldId: `${id}-${field}`,
    text: textOf(problem),
  }));
  if (failure !== undefined) {
    const reason = errorText(failure, language);
    errors.push({ text: t(bot ? 'failed.update' : 'failed.create', { reason }) });
  }

  function change(changed: Partial<BotValues>): void {
    setValues((before) => ({ ...before, ...changed }));
    clear(Object.keys(changed));
  }
  function clear(fields: readonly string[]): void {
    setFailure(undefined);
    setProblems((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field))),
    );
  }
  function fillBlanks(): void {
    setValues((before) => withFallbacks(before, language));
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSubmitting) return;
    const filled = withFallbacks(values, language);
    setValues(filled);
    setFailure(undefined);
    const result = checkBot(filled, { chain, language, bot, isTokenValid: lookup.state === 'valid' });
    setProblems('problems' in result ? result.problems : {});
    if ('problems' in result) return setAttempt((count) => count + 1);
    setSubmitting(true);
    try {
      await (bot ? commands.update(bot, result.checked, filled.is_active) : commands.create(result.checked));
      onDone();
    } catch (error) {
      setFailure(error);
      setAttempt((count) => count + 1);
      setSubmitting(false);
    }
  }

  const { step } = amountRule(chain, values.action);
  const tokenSymbol = lookup.state === 'valid' ? lookup.token.symbol : '';
  const amountUnit = values.action === 'buy' ? NATIVE[chain].symbol : tokenSymbol;
  const numberField = (field: 'amount_min' | 'amount_max') => (
    <NumberField
      id={fieldId(field)}
      label={t(`form.${field}`)}
      value={values[field]}
      onChange={(text) => change({ [field]: text })}
      step={step}
      unit={amountUnit}
      error={errorOf(field)}
    />
  );
  const intervalField = (field: 'range_time_min' | 'range_time_max') => (
    <NumberField
      id={fieldId(field)}
      label={t(`form.${field}`)}
      value={values[field]}
      onChange={(text) => change({ [field]: text })}
      onBlur={fillBlanks}
      step="1"
      unit={t('unit.seconds')}
      error={errorOf(field)}
      isWhole
    />
  );

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      aria-label={t(bot ? 'edit_title' : 'create_title')}
    >
      <Stack gap="md">
        <FormErrors errors={errors} attempt={attempt} />
        <TextInput
          id={fieldId('name')}
          label={t('form.name')}
          value={values.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          autoComplete="off"
          required
          withAsterisk={false}
          error={errorOf('name')}
          data-autofocus
        />
        <NativeSelect
          id={fieldId('wallet_id')}
          label={t('form.wallet')}
          value={values.wallet_id}
          onChange={(event) => change({ wallet_id: event.currentTarget.value })}
          error={errorOf('wallet_id')}
          data={wallets.map((wallet) => ({ value: wallet.id, label: wallet.name }))}
        />
        <TokenField
          id={fieldId('token_address')}
          chain={chain}
          value={values.token_address}
          onChange={(token_address) => change({ token_address })}
          lookup={lookup}
          error={errorOf('token_address')}
        />
        <Choice<Action>
          label={t('form.action')}
          value={values.action}
          options={[
            { value: 'buy', label: common('action_label.buy') },
            { value: 'sell', label: common('action_label.sell') },
          ]}
          onChange={(action) => {
            setValues((before) => withAction(before, action, { chain, bot, language }));
            clear(['amount_min', 'amount_max']);
          }}
        />
        <div className={classes.pair}>
          {numberField('amount_min')}
          {numberField('amount_max')}
        </div>
        <div className={classes.pair}>
          {intervalField('range_time_min')}
          {intervalField('range_time_max')}
        </div>
        {chain === 'bsc' && (
          <div className={classes.pair}>
            <NumberField
              id={fieldId('slippage_percent')}
              label={t('form.slippage')}
              value={values.slippage_percent}
              onChange={(text) => change({ slippage_percent: text })}
              onBlur={fillBlanks}
              step="0.1"
              unit="%"
              error={errorOf('slippage_percent')}
            />
            <Choice<DexVersion>
              label={t('form.version')}
              value={values.pancakeswap_version}
              options={dexVersionSchema.options.map((version) => ({ value: version, label: version }))}
              onChange={(pancakeswap_version) => change({ pancakeswap_version })}
            />
          </div>
        )}
        {bot && (
          <Checkbox
            label={t('form.active')}
            checked={values.is_active}
            onChange={(event) => change({ is_active: event.currentTarget.checked })}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {common('action.cancel')}
          </Button>
          <Button type="submit" loading={isSubmitting}>
            {bot ? common('action.save') : common('action.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
