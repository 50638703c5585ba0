import { Anchor, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { credentialsSchema } from '@kervan/contract';
import { useAccount } from '../../lib/account.ts';
import { codeText, errorText } from '../../lib/api-error.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { fieldIssues } from '../../lib/issues.ts';
import { FormErrors, type FormError } from '../../ui/form-errors.tsx';

export type AuthMode = 'login' | 'register';

interface CredentialsFormProps {
  mode: AuthMode;
  onModeChange: (mode: AuthMode) => void;
}

type Field = 'username' | 'password';

/** Username and password, for signing in or for a new account. */
export function CredentialsForm({ mode, onModeChange }: CredentialsFormProps) {
  const { t } = useTranslation('auth');
  const language = useLanguage();
  const { api, session } = useAccount();
  const id = useId();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const username = useRef<HTMLInputElement>(null);
  // Also when this form has taken the place of the other.
  useEffect(() => username.current?.focus(), []);
  const form = useForm({
    initialValues: { username: '', password: '' },
    // Codes, so that a sentence on the screen follows the language.
    validate: (values) => fieldIssues(credentialsSchema, values),
    onValuesChange: () => setFailure(undefined),
  });

  const fieldId = (field: Field) => `${id}-${field}`;
  const textOf = (field: Field) => {
    const code = form.errors[field];
    return typeof code === 'string' ? (codeText(code, {}, language) ?? code) : undefined;
  };
  const errors: FormError[] = (['username', 'password'] as const).flatMap((field) => {
    const text = textOf(field);
    return text === undefined ? [] : [{ fieldId: fieldId(field), text }];
  });
  if (failure !== undefined) errors.push({ text: errorText(failure, language) });

  async function submit(values: Record<Field, string>): Promise<void> {
    setFailure(undefined);
    try {
      session.start(await api.call(mode, { body: values }));
    } catch (error) {
      setFailure(error);
      setAttempt((count) => count + 1);
    }
  }

  const isLogin = mode === 'login';
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(submit, () => setAttempt((count) => count + 1))}
      aria-label={isLogin ? t('sign_in') : t('register')}
    >
      <Stack gap="md">
        {isLogin && <Text c="dimmed">{t('about')}</Text>}
        <FormErrors errors={errors} attempt={attempt} />
        <TextInput
          id={fieldId('username')}
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          withAsterisk={false}
          ref={username}
          {...form.getInputProps('username')}
          error={textOf('username')}
        />
        <PasswordInput
          id={fieldId('password')}
          label={t('password')}
          {...(!isLogin && { description: t('password_hint') })}
          autoComplete={isLogin ? 'current-password' : 'new-password'}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('show_password'), tabIndex: 0 }}
          {...form.getInputProps('password')}
          error={textOf('password')}
        />
        <Button type="submit" loading={form.submitting} fullWidth>
          {isLogin ? t('sign_in') : t('register')}
        </Button>
        <Group gap="xs" justify="center">
          <Text c="dimmed">{isLogin ? t('to_register') : t('to_sign_in')}</Text>
          <Anchor
            component="button"
            type="button"
            onClick={() => onModeChange(isLogin ? 'register' : 'login')}
          >
            {isLogin ? t('register') : t('sign_in')}
          </Anchor>
        </Group>
      </Stack>
    </form>
  );
}
