import { KervanError } from '@kervan/contract';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../lib/clock.ts';

export const ACCESS_TOKEN_SEC = 15 * 60;

export interface AccessClaims {
  userId: string;
  sessionId: string;
  expiresAt: Date;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Access tokens: JWTs signed with HMAC-SHA256, with claims sub (user), sid (session), iat and exp. */
export function createAccessTokens(key: Uint8Array, clock: Clock) {
  return {
    sign(userId: string, sessionId: string): Promise<string> {
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userId)
        .setIssuedAt(now)
        .setExpirationTime(now + ACCESS_TOKEN_SEC)
        .sign(key);
    },

    /** Throws AUTH_REQUIRED for a token that is not ours or no longer valid. */
    async verify(token: string): Promise<AccessClaims> {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          currentDate: clock(),
          requiredClaims: ['sub', 'sid', 'exp'],
        });
        const { sub, sid, exp } = payload;
        if (sub === undefined || typeof sid !== 'string' || exp === undefined) throw new Error('claims');
        return { userId: sub, sessionId: sid, expiresAt: new Date(exp * 1000) };
      } catch {
        throw new KervanError('AUTH_REQUIRED');
      }
    },
  };
}
