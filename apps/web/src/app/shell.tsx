import { useMediaQuery } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveState } from '../lib/hooks.ts';
import { HOME, NavigationContext, type Place } from '../lib/navigation.ts';
import { ConfirmProvider } from '../ui/confirm.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CurrentView } from './current-view.tsx';
import { Header } from './header.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useTradeToasts } from './trade-toasts.ts';

/** Below this width the sidebar gives way to the bottom bar. */
const PHONE = '(max-width: 767.98px)';

/** The signed-in product. The view is remembered nowhere: whoever signs in begins at the dashboard. */
export function Shell() {
  const { t } = useTranslation('shell');
  const [place, setPlace] = useState<Place>({ view: HOME });
  const navigation = useMemo(
    () => ({
      ...place,
      navigate(view: Place['view'], intent?: Place['intent']) {
        window.scrollTo(0, 0);
        setPlace({ view, ...(intent !== undefined && { intent }) });
      },
    }),
    [place],
  );
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const isStale = useLiveState().status === 'reconnecting';
  const main = useRef<HTMLElement>(null);
  useTradeToasts();

  return (
    <NavigationContext value={navigation}>
      <ConfirmProvider>
        <a
          className={classes.skip}
          href="#content"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          {t('skip')}
        </a>
        <Header />
        <div className={classes.body}>
          {!isPhone && <Sidebar />}
          <main ref={main} id="content" tabIndex={-1} className={classes.main} data-stale={isStale}>
            <CurrentView />
          </main>
        </div>
        {isPhone && <BottomBar />}
      </ConfirmProvider>
      {/* At the bottom: in a burst of toasts the halt switch must stay within reach. */}
      <Notifications
        position={isPhone ? 'bottom-center' : 'bottom-right'}
        // On a phone more of them would cover half of what they tell of.
        limit={isPhone ? 2 : 4}
        // Under dialogs and sheets, which are at 200: a toast covers nothing that waits for an answer.
        zIndex={150}
        containerWidth={360}
        className={classes.toasts}
      />
    </NavigationContext>
  );
}
