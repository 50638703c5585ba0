import { Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { LanguageToggle } from '../../ui/language-toggle.tsx';
import { CredentialsForm, type AuthMode } from './credentials-form.tsx';

/** There is nothing to be seen without signing in: the modal comes back when it is closed (spec §2). */
const REOPEN_MS = 300;

/** The way in. Shown while nobody is signed in; success replaces it by the product. */
export function SignInModal() {
  const { t } = useTranslation('auth');
  const [isOpen, setOpen] = useState(true);
  const [mode, setMode] = useState<AuthMode>('login');
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setOpen(true), REOPEN_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      title={mode === 'login' ? t('sign_in') : t('register')}
      level={1}
    >
      <CredentialsForm key={mode} mode={mode} onModeChange={setMode} />
      <Group justify="center" mt="md">
        <LanguageToggle />
      </Group>
    </Dialog>
  );
}
