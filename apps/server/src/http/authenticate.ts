import type { FastifyInstance, FastifyRequest } from 'fastify';
import { KervanError } from '@kervan/contract';

export interface AuthenticatedUser {
  id: string;
  username: string;
  sessionId: string;
}

/** Who an access token belongs to. Throws AUTH_REQUIRED when it is forged, expired or its session has ended. */
export type Authenticate = (accessToken: string) => Promise<AuthenticatedUser>;

declare module 'fastify' {
  interface FastifyInstance {
    /** onRequest hook: sets `request.user` or refuses, before the body is read. */
    authenticate: (request: FastifyRequest) => Promise<void>;
  }
  interface FastifyRequest {
    user: AuthenticatedUser | undefined;
  }
}

export function addAuthentication(app: FastifyInstance, authenticate: Authenticate): void {
  app.decorateRequest('user', undefined);
  app.decorate('authenticate', async (request: FastifyRequest) => {
    request.user = await authenticate(bearerToken(request));
  });
}

export function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw new KervanError('AUTH_REQUIRED');
  return token;
}
