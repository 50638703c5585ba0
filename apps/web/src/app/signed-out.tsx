import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { SignInModal } from '../features/auth/sign-in-modal.tsx';
import { Brand } from './brand.tsx';
import classes from './signed-out.module.css';

/** What stands behind the sign-in. `onShown` loads what comes after it meanwhile. */
export function SignedOut({ onShown }: { onShown: () => Promise<unknown> }) {
  const { t } = useTranslation('shell');
  useEffect(() => {
    document.title = t('product');
  }, [t]);
  useEffect(() => {
    // If this fails the shell asks again when it is needed.
    const timer = setTimeout(() => void onShown().catch(() => undefined), 0);
    return () => clearTimeout(timer);
  }, [onShown]);
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Brand />
      </header>
      <SignInModal />
    </div>
  );
}
