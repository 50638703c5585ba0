import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../lib/hooks.ts';
import { useServices } from '../lib/services.ts';
import { LanguageToggle } from '../ui/language-toggle.tsx';
import { Brand } from './brand.tsx';
import { ConnectionIndicator } from './connection-indicator.tsx';
import { HaltedBanner, HaltSwitch } from './halt-switch.tsx';
import classes from './header.module.css';
import { NetworkBand } from './network-band.tsx';

export function Header() {
  const { t } = useTranslation('shell');
  const { session } = useServices();
  const { username } = useUser();
  const header = useHeightVariable('--kv-header-height');
  return (
    <header ref={header} className={classes.header}>
      <div className={classes.top}>
        <Brand />
        <div className={classes.tools}>
          <ConnectionIndicator />
          <LanguageToggle />
          <span className={classes.username} title={t('account', { username })} translate="no">
            {username}
          </span>
          <Tooltip label={t('logout')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('logout')}
              onClick={() => session.logout()}
            >
              <IconLogout size={18} />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      <div className={classes.band}>
        <NetworkBand />
        <HaltSwitch />
      </div>
      <HaltedBanner />
    </header>
  );
}

/** Keeps a CSS variable of the page at the element's height: what sticks below it, and scrolling, go by it. */
function useHeightVariable(name: string) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      document.documentElement.style.setProperty(name, `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [name]);
  return ref;
}
