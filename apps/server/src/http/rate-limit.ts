import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { KervanError } from '@kervan/contract';

/** A ceiling for each user, or for the address of who is not signed in: against loops gone wild, not for fairness. */
export async function addRateLimit(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    // After the sign-in check, so that the user is known.
    hook: 'preValidation',
    keyGenerator: (request) => request.user?.id ?? request.ip,
    errorResponseBuilder: (_request, { ttl }) =>
      new KervanError('RATE_LIMITED', { retryAfterSec: Math.ceil(ttl / 1000) }),
  });
}
