import type { Session as Stored, User } from '@kervan/contract';
import { expiryOf, isExpired } from './access-token.ts';
import { ApiError, isApiError } from './api-error.ts';
import { logWarning } from './log.ts';
import { createSource, type Observable } from './observable.ts';
import type { SessionStorage } from './session-storage.ts';

export type SessionState =
  { status: 'loading' } | { status: 'signed-out' } | { status: 'signed-in'; user: User; token: string };

export interface SessionDeps {
  storage: SessionStorage;
  /** POST /auth/refresh: the cookie says whose session it is. */
  requestRefresh: () => Promise<Stored>;
  requestLogout: (token: string) => Promise<unknown>;
  /** Runs one task at a time over all tabs: the refresh cookie may be used once only. */
  exclusively: <T>(task: () => Promise<T>) => Promise<T>;
  /** Tells the rest of the page that the session has ended. */
  onEnded: () => void;
  now: () => number;
}

export interface Session extends Observable<SessionState> {
  /** Once, at the start of the page. */
  restore(): Promise<void>;
  start(session: Stored): void;
  logout(): void;
  /** Clears everything; what any 401 does. */
  end(): void;
  /** A new token for the cookie; calls that come together share one. Throws when there is none. */
  refresh(): Promise<void>;
  /** A token that lasts long enough for a call. Throws AUTH_REQUIRED when signed out. */
  freshToken(): Promise<string>;
  /** Takes over what another tab has stored or cleared. */
  adoptStored(): void;
}

/** A token is renewed this long before its end… */
const RENEW_BEFORE_MS = 60_000;
/** …and not used any more when it has less than this left. */
const USABLE_MS = 5_000;
const RETRY_MS = 5_000;
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The life of a sign-in in this page (spec §4): restore, expiry, refresh, logout, and the end by any 401. */
export function createSession(deps: SessionDeps): Session {
  const { storage, now } = deps;
  const state = createSource<SessionState>({ status: 'loading' });
  let refreshing: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function adopt({ access_token: token, user }: Stored): void {
    state.set({ status: 'signed-in', user, token });
    renewIn((expiryOf(token) ?? 0) - now() - RENEW_BEFORE_MS);
  }

  function renewIn(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void renew(), Math.min(Math.max(ms, 1_000), TIMER_MAX_MS));
  }

  async function renew(): Promise<void> {
    try {
      await refresh();
    } catch (error) {
      // A server that is away for a moment ends no session: the call that needs a token asks again.
      logWarning('the session could not be renewed', error);
      if (state.get().status === 'signed-in') renewIn(RETRY_MS);
    }
  }

  function start(session: Stored): void {
    storage.write(session);
    adopt(session);
  }

  function end(): void {
    const wasSignedIn = state.get().status === 'signed-in';
    clearTimeout(timer);
    storage.clear();
    state.set({ status: 'signed-out' });
    if (wasSignedIn) deps.onEnded();
  }

  function refresh(): Promise<void> {
    refreshing ??= deps.exclusively(refreshNow).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  async function refreshNow(): Promise<void> {
    const before = state.get();
    const stored = storage.read();
    const isRenewedElsewhere =
      stored !== undefined &&
      (before.status !== 'signed-in' || before.token !== stored.access_token) &&
      !isExpired(stored.access_token, now(), USABLE_MS);
    if (isRenewedElsewhere) return adopt(stored);
    try {
      const session = await deps.requestRefresh();
      // Whoever signed out meanwhile stays signed out.
      if (state.get().status !== 'signed-out') start(session);
    } catch (error) {
      if (isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429) end();
      throw error;
    }
  }

  return {
    ...state,
    start,
    end,
    refresh,
    async restore() {
      const stored = storage.read();
      if (stored === undefined) return end();
      if (!isExpired(stored.access_token, now(), USABLE_MS)) return adopt(stored);
      await refresh().catch((error: unknown) => {
        logWarning('the session could not be restored', error);
        end();
      });
    },
    logout() {
      const current = state.get();
      end();
      if (current.status !== 'signed-in') return;
      deps.requestLogout(current.token).catch((error: unknown) => logWarning('logout failed', error));
    },
    async freshToken() {
      const current = state.get();
      if (current.status === 'signed-in' && !isExpired(current.token, now(), USABLE_MS)) return current.token;
      if (current.status === 'signed-in') await refresh();
      const after = state.get();
      if (after.status !== 'signed-in') throw ApiError.of('AUTH_REQUIRED', 401);
      return after.token;
    },
    adoptStored() {
      const stored = storage.read();
      if (stored === undefined) end();
      else adopt(stored);
    },
  };
}
