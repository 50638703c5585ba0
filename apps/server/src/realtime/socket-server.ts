import type { Server as HttpServer } from 'node:http';
import { createAdapter } from '@socket.io/postgres-adapter';
import {
  botCommandSchema,
  KervanError,
  MAX_BODY_BYTES,
  type ClientToServerEvents,
  type ServerToClientEvents,
} from '@kervan/contract';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Server, type DefaultEventsMap, type Socket } from 'socket.io';
import type { HostRule } from '../http/allowed-hosts.ts';
import { toKervanError } from '../http/error-handler.ts';
import type { AuthenticatedUser } from '../http/authenticate.ts';
import type { Notifier } from './notifier.ts';

interface SocketData {
  user: AuthenticatedUser;
}
type KervanSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>;

/** What a socket can ask for. */
export interface BotCommands {
  start(bot: { userId: string; botId: string }): Promise<unknown>;
  stop(bot: { userId: string; botId: string }): Promise<unknown>;
}

export interface SocketServerDeps {
  log: Logger;
  isHostAllowed: HostRule;
  authenticate: (accessToken: string) => Promise<AuthenticatedUser & { expiresAt: Date }>;
  bots: BotCommands;
}

export interface Realtime extends Notifier {
  /** Begins to serve sockets beside the routes of an HTTP server. Without it, events only go to other processes. */
  attach(server: HttpServer, deps: SocketServerDeps): void;
  /** Disconnects the sockets of a session that has ended. */
  endSession(sessionId: string): void;
  /** Ends the connections of this process; an HTTP server can't close before they have. */
  disconnectAll(): void;
  close(): Promise<void>;
}

const userRoom = (userId: string) => `user ${userId}`;
const sessionRoom = (sessionId: string) => `session ${sessionId}`;

/** Commands that one socket may have under way; more are refused, so that a socket can't flood the database. */
const COMMANDS_AT_ONCE = 20;
const TIMEOUT_MAX_MS = 2 ** 31 - 1;

/**
 * Socket.IO at /socket.io. A socket signs in with `auth: {token}`, hears only its own user's events, and is
 * disconnected when its token expires (the client comes back with a new one) or its session ends.
 *
 * @param adapterPool given when several processes serve the same users: events then travel through PostgreSQL
 */
export function createRealtime(adapterPool?: pg.Pool): Realtime {
  const io = new Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketData>({
    path: '/socket.io',
    serveClient: false,
    maxHttpBufferSize: MAX_BODY_BYTES,
    ...(adapterPool && { adapter: createAdapter(adapterPool) }),
  });

  let isAttached = false;

  function attach(server: HttpServer, { log, isHostAllowed, authenticate, bots }: SocketServerDeps): void {
    async function admit(socket: KervanSocket, next: (refusal?: Error) => void): Promise<void> {
      const { token } = socket.handshake.auth;
      let refusal: Error | undefined;
      try {
        const user = await authenticate(typeof token === 'string' ? token : '');
        socket.data.user = user;
        closeAt(socket, user.expiresAt);
      } catch (error) {
        refusal = handshakeError(error);
      }
      next(refusal);
    }

    io.use((socket, next) => void admit(socket, next));
    io.on('connection', (socket) => {
      const { user } = socket.data;
      void socket.join([userRoom(user.id), sessionRoom(user.sessionId)]);
      let running = 0;

      async function command(payload: unknown, run: (botId: string) => Promise<unknown>): Promise<void> {
        try {
          if (running >= COMMANDS_AT_ONCE) throw new KervanError('RATE_LIMITED', { retryAfterSec: 1 });
          running++;
          try {
            const parsed = botCommandSchema.safeParse(payload);
            if (!parsed.success) {
              throw new KervanError('VALIDATION_FAILED', { field: 'botId', issue: 'wrong_form' });
            }
            await run(parsed.data.botId);
          } finally {
            running--;
          }
        } catch (error) {
          const known = toKervanError(error instanceof Error ? error : new Error(String(error)));
          if (known.code === 'INTERNAL') log.error({ err: known }, 'socket command failed');
          socket.emit('error', { code: known.code, message: known.message });
        }
      }

      socket.on(
        'bot:start',
        (payload) => void command(payload, (botId) => bots.start({ userId: user.id, botId })),
      );
      socket.on(
        'bot:stop',
        (payload) => void command(payload, (botId) => bots.stop({ userId: user.id, botId })),
      );
    });
    // The sockets' requests pass by the HTTP server's hooks.
    io.attach(server, {
      allowRequest: ({ headers }, done) => done(null, isHostAllowed(headers.host)),
    });
    isAttached = true;
  }

  return {
    attach,
    emit(userId, event, payload) {
      // The payload's type belongs to the event's name; Socket.IO's generics can't follow a name still unknown.
      const room = io.to(userRoom(userId)) as { emit(event: string, payload: unknown): boolean };
      room.emit(event, payload);
    },
    emitToAll(event, payload) {
      (io as { emit(event: string, payload: unknown): boolean }).emit(event, payload); // as above
    },
    endSession(sessionId) {
      io.in(sessionRoom(sessionId)).disconnectSockets(true);
    },
    disconnectAll() {
      io.local.disconnectSockets(true);
    },
    async close() {
      if (isAttached) await io.close();
      // All that there is to close then; Socket.IO's own close wants a server.
      else await io.of('/').adapter.close();
    },
  };
}

/** Closes the transport, which the client takes for a lost connection: it comes back by itself, with a new token. */
function closeAt(socket: KervanSocket, expiresAt: Date): void {
  const ms = Math.min(expiresAt.getTime() - Date.now(), TIMEOUT_MAX_MS);
  const timer = setTimeout(() => socket.conn.close(), Math.max(ms, 0));
  socket.conn.once('close', () => clearTimeout(timer));
}

function handshakeError(error: unknown): Error {
  const known = toKervanError(error instanceof Error ? error : new Error(String(error)));
  return Object.assign(new Error(known.message), { data: { code: known.code } });
}
