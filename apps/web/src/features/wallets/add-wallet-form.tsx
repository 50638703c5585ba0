import '@mantine/core/styles/SegmentedControl.layer.css';
import { Button, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NAME_MAX_LENGTH, type Chain } from '@kervan/contract';
import { codeText, errorText } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';
import { FIELDS, fieldOf, issuesOf, type Field } from './wallet-fields.ts';
import type { NewWallet } from './wallet-view.ts';

interface AddWalletFormProps {
  chain: Chain;
  onCreate: (wallet: NewWallet) => Promise<void>;
}

type Origin = 'generate' | 'import';
const ORIGINS: readonly Origin[] = ['generate', 'import'];

/** A name, and a key that the vault makes or that is pasted here, sent once and forgotten. */
export function AddWalletForm({ chain, onCreate }: AddWalletFormProps) {
  const { t } = useTranslation('wallets');
  const language = useLanguage();
  const id = useId();
  const [origin, setOrigin] = useState<Origin>('generate');
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const toWallet = ({ name, key }: Record<Field, string>): NewWallet => ({
    name,
    key: origin === 'import' ? key : undefined,
  });
  const form = useForm({
    initialValues: { name: '', key: '' },
    validate: (values) => issuesOf(chain, toWallet(values)),
    onValuesChange: () => setFailure(undefined),
  });

  const fieldId = (field: Field) => `${id}-${field}`;
  const failedField = fieldOf(failure);
  const textOf = (field: Field): string | undefined => {
    if (failedField === field) return errorText(failure, language);
    const code = form.errors[field];
    return typeof code === 'string' ? (codeText(code, {}, language) ?? code) : undefined;
  };
  const errors: FormError[] = FIELDS.flatMap((field) => {
    const text = textOf(field);
    return text === undefined ? [] : [{ fieldId: fieldId(field), text }];
  });
  if (failure !== undefined && failedField === undefined) {
    errors.push({ text: errorText(failure, language) });
  }

  async function submit(values: Record<Field, string>): Promise<void> {
    const wallet = toWallet(values);
    // Once it is on its way, the page has no more use for it; a refused one is pasted again.
    form.setFieldValue('key', '');
    try {
      await onCreate(wallet);
    } catch (error) {
      setFailure(error);
      setAttempt((count) => count + 1);
    }
  }

  function choose(next: Origin): void {
    form.setFieldValue('key', '');
    form.clearErrors();
    setFailure(undefined);
    setOrigin(next);
  }

  // Spec §5: the BSC form can't be sent before it is filled in, the Solana one says what is missing.
  const isIncomplete =
    chain === 'bsc' &&
    (form.values.name.trim() === '' || (origin === 'import' && form.values.key.trim() === ''));
  return (
    <form noValidate onSubmit={form.onSubmit(submit, () => setAttempt((count) => count + 1))}>
      <Stack gap="md">
        <FormErrors errors={errors} attempt={attempt} />
        <SegmentedControl<Origin>
          fullWidth
          aria-label={t('origin')}
          value={origin}
          onChange={choose}
          data={ORIGINS.map((value) => ({ value, label: t(`origin_${value}`) }))}
        />
        <TextInput
          id={fieldId('name')}
          label={t('name')}
          autoComplete="off"
          maxLength={NAME_MAX_LENGTH}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('name')}
          error={textOf('name')}
        />
        {origin === 'import' ? (
          <PasswordInput
            id={fieldId('key')}
            label={t('key')}
            description={t(`key_hint.${chain}`)}
            {...(chain === 'bsc' && { placeholder: '0x…' })}
            autoComplete="off"
            spellCheck={false}
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('show_key'), tabIndex: 0 }}
            {...form.getInputProps('key')}
            error={textOf('key')}
          />
        ) : (
          <Text c="dimmed" size="sm">
            {t('generate_hint')}
          </Text>
        )}
        <Button type="submit" loading={form.submitting} disabled={isIncomplete} fullWidth>
          {t(`submit_${origin}`)}
        </Button>
      </Stack>
    </form>
  );
}
