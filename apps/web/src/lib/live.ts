import type {
  ClientToServerEvents,
  ServerEvent,
  ServerEventName,
  ServerToClientEvents,
} from '@kervan/contract';
import type { Socket } from 'socket.io-client';
import { logWarning } from './log.ts';
import { createSource, type Observable } from './observable.ts';
import type { Session } from './session.ts';

export type LiveState =
  | { status: 'off' }
  | { status: 'connecting' }
  | { status: 'live' }
  /** `since`: when the page last heard from the server, in ms since the epoch. */
  | { status: 'reconnecting'; since: number };

export type Handler<N extends ServerEventName> = (payload: ServerEvent<N>) => void;
type LiveSocket = Socket<ServerToClientEvents, ClientToServerEvents>;

export interface Live extends Observable<LiveState> {
  start(): void;
  stop(): void;
  /** Hears an event over every connection to come. Returns how to stop. */
  on<N extends ServerEventName>(event: N, handler: Handler<N>): () => void;
  /** While disconnected this only warns (spec §4). */
  emit<N extends keyof ClientToServerEvents>(event: N, payload: Parameters<ClientToServerEvents[N]>[0]): void;
}

export interface LiveDeps {
  session: Pick<Session, 'freshToken' | 'refresh'>;
  /** After a connection was lost and found again: what is shown may have changed unheard. */
  onReconnected: () => void;
  now: () => number;
}

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 5_000;
const CONNECT_TIMEOUT_MS = 20_000;

/** The realtime connection of a signed-in page (spec §4): websocket, then polling; it never gives up. */
export function createLive({ session, onReconnected, now }: LiveDeps): Live {
  const state = createSource<LiveState>({ status: 'off' });
  const handlers = new Map<string, Set<(payload: never) => void>>();
  let socket: LiveSocket | undefined;
  let run = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function connect(thisRun: number): Promise<void> {
    // Signing in needs no socket, so its code comes later.
    const { io } = await import('socket.io-client');
    if (run !== thisRun) return;
    const made: LiveSocket = io({
      transports: ['websocket', 'polling'],
      reconnectionDelay: RETRY_MS,
      reconnectionDelayMax: RETRY_MAX_MS,
      timeout: CONNECT_TIMEOUT_MS,
      forceNew: true,
      auth: (send) => void withToken(send),
    });
    socket = made;
    made.on('connect', connected);
    made.on('disconnect', (reason) => {
      lost();
      // After this one Socket.IO waits for the application.
      if (reason === 'io server disconnect') reconnectSoon(made);
    });
    made.on('connect_error', (error: Error & { data?: { code?: string } }) => {
      lost();
      if (made.active) return;
      // The server refused the token. Only a refresh can tell whether the session has ended.
      if (error.data?.code === 'AUTH_REQUIRED') void renewToken();
      reconnectSoon(made);
    });
    made.on('error', (payload) => window.dispatchEvent(new CustomEvent('socket:error', { detail: payload })));
    made.onAny((event: string, payload: unknown) => {
      // The contract pairs each event with its payload; `on` keeps that pair.
      for (const handler of handlers.get(event) ?? []) handler(payload as never);
    });
  }

  async function withToken(send: (auth: { token: string }) => void): Promise<void> {
    send({ token: await session.freshToken().catch(() => '') });
  }

  async function renewToken(): Promise<void> {
    try {
      await session.refresh();
    } catch (error) {
      logWarning('the socket’s token could not be renewed', error);
    }
  }

  function connected(): void {
    const isBack = state.get().status === 'reconnecting';
    state.set({ status: 'live' });
    if (isBack) onReconnected();
  }

  function lost(): void {
    if (state.get().status !== 'reconnecting') state.set({ status: 'reconnecting', since: now() });
  }

  function reconnectSoon(made: LiveSocket): void {
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (socket === made) made.connect();
    }, RETRY_MS);
  }

  return {
    ...state,
    start() {
      if (state.get().status !== 'off') return;
      state.set({ status: 'connecting' });
      run++;
      const thisRun = run;
      connect(thisRun).catch((error: unknown) => {
        logWarning('the realtime client could not be loaded', error);
        if (run === thisRun) lost();
      });
    },
    stop() {
      run++;
      clearTimeout(retry);
      socket?.disconnect();
      socket = undefined;
      state.set({ status: 'off' });
    },
    on(event, handler) {
      const set = handlers.get(event) ?? new Set();
      handlers.set(event, set.add(handler));
      return () => set.delete(handler);
    },
    emit(event, payload) {
      if (!socket?.connected) return logWarning(`${event} was not sent: there is no connection`);
      // The payload's type belongs to the event's name; Socket.IO's generics can't follow a name still unknown.
      (socket as { emit(event: string, payload: unknown): unknown }).emit(event, payload);
    },
  };
}
