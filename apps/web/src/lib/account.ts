import { createContext, use, useSyncExternalStore } from 'react';
import { createApi, type Api } from './api.ts';
import { createSend } from './send.ts';
import { createSession, type Session, type SessionState } from './session.ts';
import { createSessionStorage } from './session-storage.ts';

/** Who is signed in, and calls in their name. It lives as long as the page. */
export interface Account {
  readonly session: Session;
  readonly api: Api;
}

const LOCK = 'kervan-session';

export function createAccount(): Account {
  const send = createSend(
    (...args) => fetch(...args),
    () => document.documentElement.lang,
  );
  const session = createSession({
    storage: createSessionStorage(localStorage),
    requestRefresh: () => send('refresh', {}),
    requestLogout: (token) => send('logout', {}, { token }),
    exclusively,
    onEnded: () => window.dispatchEvent(new Event('auth:logout')),
    now: Date.now,
  });
  window.addEventListener('storage', ({ key }) => {
    if (key === 'auth_token' || key === null) session.adoptStored();
  });
  return { session, api: createApi(send, session) };
}

/** Web Locks span tabs. Browsers only have them on secure origins, which localhost is. */
async function exclusively<T>(task: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return task();
  return await navigator.locks.request(LOCK, task);
}

const AccountContext = createContext<Account | undefined>(undefined);
export const AccountProvider = AccountContext.Provider;

export function useAccount(): Account {
  const account = use(AccountContext);
  if (account === undefined) throw new Error('useAccount needs an AccountProvider above it');
  return account;
}

export function useSession(): SessionState {
  const { session } = useAccount();
  return useSyncExternalStore(session.subscribe, session.get);
}
