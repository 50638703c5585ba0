import { createHash, randomBytes } from 'node:crypto';
import { KervanError, type Page, type Session, type User } from '@kervan/contract';
import type { Schema } from '@kervan/database';
import type { Transaction } from 'kysely';
import type { RegistrationRule } from '../../config.ts';
import type { AuthenticatedUser } from '../../http/authenticate.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { AccessTokens } from './access-token.ts';
import { takeAll, type AttemptLimiter } from './attempt-limiter.ts';
import { hashPassword, isPasswordRight } from './password.ts';
import type { AuthRepository } from './repository.ts';

/** A session that is not used for this long ends. */
export const SESSION_MS = 30 * 24 * 3600 * 1000;

/**
 * How long after its exchange a refresh token may come once more without this counting as theft: two tabs that
 * wake up together send the same cookie.
 */
export const REUSE_GRACE_MS = 10_000;

export interface Credentials {
  username: string;
  password: string;
}

/** Who signs in, as far as that can be seen. */
export interface Visitor {
  ip: string;
  userAgent: string | undefined;
}

/** More than any browser says of itself. */
const USER_AGENT_MAX = 300;

export interface SignedIn {
  session: Session;
  /** For the cookie; only its hash is stored. */
  refreshToken: string;
}

export interface AuthDeps {
  repository: AuthRepository;
  accessTokens: AccessTokens;
  /** Sign-ins that fail, by address and username and by address alone; registrations, by address. */
  limiters: { failures: AttemptLimiter; failuresByIp: AttemptLimiter; registrations: AttemptLimiter };
  registration: RegistrationRule;
  clock: Clock;
  /** Told of every session that ends before its time, so that its sockets end with it. */
  onSessionEnded: (sessionId: string) => void;
}

export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService(deps: AuthDeps) {
  const { repository, accessTokens, limiters, clock } = deps;

  async function register({ username, password }: Credentials, visitor: Visitor): Promise<SignedIn> {
    if (deps.registration === 'closed') throw new KervanError('REGISTRATION_CLOSED');
    limiters.registrations.take(visitor.ip);
    const user = { id: uuidv7(), username: username.normalize('NFC') };
    const row = {
      ...user,
      username_key: usernameKey(username),
      password_hash: await hashPassword(password),
    };
    const tokens = await repository.transaction(async (trx) => {
      if (deps.registration === 'first') {
        await repository.lockFirstAccount(trx);
        if (await repository.hasUsers(trx)) throw new KervanError('REGISTRATION_CLOSED');
      }
      if (!(await repository.insertUser(trx, row))) throw new KervanError('USERNAME_TAKEN');
      return openSession(trx, user.id, visitor);
    });
    return signedIn(user, tokens);
  }

  async function login({ username, password }: Credentials, visitor: Visitor): Promise<SignedIn> {
    const { ip } = visitor;
    const key = usernameKey(username);
    // Taken before the check and given back after success, so that guesses sent together count as well.
    const attempts = takeAll([limiters.failuresByIp, ip], [limiters.failures, `${ip} ${key}`]);
    const user = await repository.findUser(key);
    if (!(await isPasswordRight(user?.password_hash, password)) || user === undefined) {
      throw new KervanError('CREDENTIALS_INVALID');
    }
    for (const attempt of attempts) attempt.giveBack();
    const tokens = await repository.transaction((trx) => openSession(trx, user.id, visitor));
    return signedIn(user, tokens);
  }

  async function openSession(trx: Transaction<Schema>, userId: string, { userAgent }: Visitor) {
    const sessionId = uuidv7();
    const now = clock();
    await repository.insertSession(trx, {
      id: sessionId,
      user_id: userId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
      user_agent: userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    });
    return { sessionId, refreshToken: await issueRefreshToken(trx, sessionId, null) };
  }

  async function issueRefreshToken(
    trx: Transaction<Schema>,
    sessionId: string,
    parentHash: Buffer | null,
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await repository.insertRefreshToken(trx, {
      token_hash: hashToken(token),
      session_id: sessionId,
      parent_hash: parentHash,
      created_at: clock(),
    });
    return token;
  }

  async function signedIn(
    { id, username }: User,
    { sessionId, refreshToken }: { sessionId: string; refreshToken: string },
  ): Promise<SignedIn> {
    const accessToken = await accessTokens.sign(id, sessionId);
    return { session: { access_token: accessToken, user: { id, username } }, refreshToken };
  }

  /**
   * Exchanges a refresh token for the next one. A token presented again after its exchange was copied, and so was
   * one of whose two successors (the grace allows them) both are used: whoever holds it, thief or owner, is signed
   * out with the other. Throws REFRESH_INVALID.
   */
  async function refresh(refreshToken: string | undefined): Promise<SignedIn> {
    if (refreshToken === undefined) throw new KervanError('REFRESH_INVALID');
    const tokenHash = hashToken(refreshToken);
    const now = clock();
    const result = await repository.transaction(async (trx) => {
      const found = await repository.lockRefreshToken(trx, tokenHash);
      if (!found || found.revoked_at !== null || found.expires_at <= now) return undefined;
      const { sessionId, userId, username } = found;
      if (await isCopied(trx, { ...found, tokenHash }, now)) {
        await repository.revokeSession(trx, sessionId, now);
        return { stolenSessionId: sessionId };
      }
      await repository.useRefreshToken(trx, tokenHash, now);
      await repository.extendSession(trx, sessionId, {
        now,
        expiresAt: new Date(now.getTime() + SESSION_MS),
      });
      return {
        user: { id: userId, username },
        sessionId,
        refreshToken: await issueRefreshToken(trx, sessionId, tokenHash),
      };
    });
    if (result === undefined) throw new KervanError('REFRESH_INVALID');
    if ('stolenSessionId' in result) {
      deps.onSessionEnded(result.stolenSessionId);
      throw new KervanError('REFRESH_INVALID');
    }
    return signedIn(result.user, result);
  }

  async function isCopied(
    trx: Transaction<Schema>,
    token: { tokenHash: Buffer; sessionId: string; used_at: Date | null; parent_hash: Buffer | null },
    now: Date,
  ): Promise<boolean> {
    if (token.used_at !== null) return now.getTime() - token.used_at.getTime() > REUSE_GRACE_MS;
    if (token.parent_hash === null) return false;
    // Tabs share one cookie, so that of two successors only the one that came last is ever used.
    return repository.hasUsedSibling(trx, {
      token_hash: token.tokenHash,
      session_id: token.sessionId,
      parent_hash: token.parent_hash,
    });
  }

  /** Ends the session that either token belongs to. Without a valid one there is nothing to end. */
  async function logout(tokens: { accessToken?: string; refreshToken?: string }): Promise<void> {
    const sessionIds = [
      await sessionOfAccess(tokens.accessToken),
      await sessionOfRefresh(tokens.refreshToken),
    ];
    for (const sessionId of new Set(sessionIds)) {
      if (sessionId === undefined) continue;
      await repository.transaction((trx) => repository.revokeSession(trx, sessionId, clock()));
      deps.onSessionEnded(sessionId);
    }
  }

  const sessions = (userId: string, page: Page) => repository.pageOfSessions(userId, page, clock());

  /** Ends one of the user's sessions. Throws SESSION_NOT_FOUND. */
  async function endSession(userId: string, sessionId: string): Promise<void> {
    const ended = await repository.revokeSessionsOf(userId, sessionId, clock());
    if (ended.length === 0) throw new KervanError('SESSION_NOT_FOUND');
    deps.onSessionEnded(sessionId);
  }

  /** Logs the user out everywhere; answers how many sessions that ended. */
  async function endSessions(userId: string): Promise<number> {
    const ended = await repository.revokeSessionsOf(userId, undefined, clock());
    for (const sessionId of ended) deps.onSessionEnded(sessionId);
    return ended.length;
  }

  async function sessionOfAccess(token: string | undefined): Promise<string | undefined> {
    if (token === undefined) return undefined;
    return accessTokens.verify(token).then(
      (claims) => claims.sessionId,
      () => undefined,
    );
  }

  async function sessionOfRefresh(token: string | undefined): Promise<string | undefined> {
    return token === undefined ? undefined : repository.sessionOfRefreshToken(hashToken(token));
  }

  /** Who an access token speaks for, asked of the database each time: a revoked session ends at once. */
  async function authenticate(accessToken: string): Promise<AuthenticatedUser & { expiresAt: Date }> {
    const { sessionId, expiresAt } = await accessTokens.verify(accessToken);
    const session = await repository.findLiveSession(sessionId, clock());
    if (!session) throw new KervanError('AUTH_REQUIRED');
    return { id: session.userId, username: session.username, sessionId, expiresAt };
  }

  async function pruneSessions(): Promise<void> {
    await repository.pruneSessions(new Date(clock().getTime() - SESSION_MS));
  }

  return {
    register,
    login,
    refresh,
    logout,
    sessions,
    endSession,
    endSessions,
    authenticate,
    pruneSessions,
  };
}

/** Two spellings that differ in case or composition only are one username. */
function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase().normalize('NFKC');
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
