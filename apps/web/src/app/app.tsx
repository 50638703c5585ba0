import { Loader, MantineProvider } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountProvider, useSession, type Account } from '../lib/account.ts';
import classes from './app.module.css';
import { styleNonce } from './nonce.ts';
import { SignedOut } from './signed-out.tsx';
import { cssVariables, themeFor } from './theme.ts';

// The first screen is the way in; what comes after it is loaded meanwhile.
const loadSignedIn = () => import('./signed-in.tsx');
const SignedIn = lazy(async () => ({ default: (await loadSignedIn()).SignedIn }));

export function App({ account }: { account: Account }) {
  const { t } = useTranslation();
  const close = t('action.close');
  const theme = useMemo(() => themeFor(close), [close]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <AccountProvider value={account}>
        <Gate />
      </AccountProvider>
    </MantineProvider>
  );
}

/** Spinner while loading, then either the way in or the product. */
function Gate() {
  const session = useSession();
  switch (session.status) {
    case 'loading':
      return <FullScreenSpinner />;
    case 'signed-out':
      return <SignedOut onShown={loadSignedIn} />;
    case 'signed-in':
      return (
        <Suspense fallback={<FullScreenSpinner />}>
          <SignedIn key={session.user.id} />
        </Suspense>
      );
  }
}

function FullScreenSpinner() {
  const { t } = useTranslation();
  return (
    <div className={classes.spinner} role="status">
      <Loader size="lg" aria-hidden="true" />
      <span className={classes.spinnerText}>{t('loading')}</span>
    </div>
  );
}
