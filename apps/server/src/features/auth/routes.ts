import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_BASE, KervanError, routes, type Session } from '@kervan/contract';
import { register, reply } from '../../http/register.ts';
import { SESSION_MS, type AuthService, type SignedIn, type Visitor } from './service.ts';

const COOKIE = 'kervan_refresh';

export function authRoutes(app: FastifyInstance, auth: AuthService): void {
  register(app, routes.register, async ({ body, request, response }) =>
    answer(await auth.register(body, visitorOf(request)), request, response),
  );
  register(app, routes.login, async ({ body, request, response }) =>
    answer(await auth.login(body, visitorOf(request)), request, response),
  );
  register(app, routes.refresh, async ({ request, response }) => {
    refuseOtherSites(request);
    return answer(await auth.refresh(request.cookies[COOKIE]), request, response);
  });
  register(app, routes.logout, async ({ request, response }) => {
    refuseOtherSites(request);
    const [, accessToken] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const refreshToken = request.cookies[COOKIE];
    await auth.logout({
      ...(accessToken !== undefined && { accessToken }),
      ...(refreshToken !== undefined && { refreshToken }),
    });
    void response.clearCookie(COOKIE, cookieOptions(request));
    return null;
  });

  register(app, routes.listSessions, async ({ user, query }) => {
    const { sessions, total } = await auth.sessions(user.id, query);
    const shown = sessions.map(({ created_at, last_used_at, expires_at, ...session }) => ({
      ...session,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
      expires_at: expires_at.toISOString(),
      is_current: session.id === user.sessionId,
    }));
    return reply(shown, { pagination: { ...query, total } });
  });
  register(app, routes.endSession, async ({ user, params }) => {
    await auth.endSession(user.id, params.id);
    return null;
  });
  register(app, routes.endSessions, async ({ user, request, response }) => {
    const ended = await auth.endSessions(user.id);
    void response.clearCookie(COOKIE, cookieOptions(request));
    return { ended };
  });
}

function visitorOf({ ip, headers }: FastifyRequest): Visitor {
  return { ip, userAgent: headers['user-agent'] };
}

/**
 * The cookie alone is enough for these calls, and to SameSite another port of this machine is the same site. What
 * is no browser says nothing of the kind.
 */
function refuseOtherSites({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new KervanError('CROSS_SITE_REFUSED');
}

function answer(
  { session, refreshToken }: SignedIn,
  request: FastifyRequest,
  response: FastifyReply,
): Session {
  void response.setCookie(COOKIE, refreshToken, { ...cookieOptions(request), maxAge: SESSION_MS / 1000 });
  return session;
}

/** Seen by no script, sent by no other site, and to these routes only. */
function cookieOptions(request: FastifyRequest) {
  return {
    path: `${API_BASE}/auth`,
    httpOnly: true,
    sameSite: 'strict',
    // A browser drops a Secure cookie that came over plain HTTP.
    secure: isHttps(request),
  } as const;
}

function isHttps(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
}
