import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { KervanError } from '@kervan/contract';

/** People behind one address, such as a proxy's, share its ceiling; it is that of so many users. */
const USERS_PER_ADDRESS = 10;

/**
 * Ceilings against loops gone wild, not for fairness: one for each user, or the address of who is not signed in,
 * and one for each address, which counts every request before anything else is done for it: those without a
 * valid token and to addresses where nothing is, too.
 */
export async function addRateLimit(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    // After the sign-in check, so that the user is known.
    hook: 'preValidation',
    keyGenerator: (request) => request.user?.id ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const count = app.createRateLimit({
    max: requestsPerMinute * USERS_PER_ADDRESS,
    keyGenerator: (request) => request.ip,
  });
  app.addHook('onRequest', async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  });
}

function tooMany(ttl: number): KervanError {
  return new KervanError('RATE_LIMITED', { retryAfterSec: Math.ceil(ttl / 1000) });
}
