import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, errorMessage, KervanError, type ErrorCode, type Failure } from '@kervan/contract';
import { isDatabaseAway } from './database-away.ts';
import { preferredLanguage } from './language.ts';

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'MEDIA_TYPE_UNSUPPORTED',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BODY_INVALID',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BODY_INVALID',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'REQUEST_INVALID',
};

/** Everything that is thrown leaves here as an envelope; only what nobody foresaw is a 500, and is logged whole. */
export function addErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, response) => sendError(error, request, response));
}

export function sendError(error: Error, request: FastifyRequest, response: FastifyReply): FastifyReply {
  const known = toKervanError(error);
  const { status } = ERRORS[known.code];
  if (known.code === 'INTERNAL') request.log.error({ err: error }, 'request failed');
  else if (known.cause !== undefined) request.log.warn({ err: known }, 'request refused');
  if (known.code === 'RATE_LIMITED') void response.header('retry-after', known.context.retryAfterSec);
  return response.code(status).send(failure(known, request));
}

function failure(error: KervanError, request: FastifyRequest): Failure {
  const language = preferredLanguage(request.headers['accept-language']);
  return {
    success: false,
    data: null,
    error: {
      code: error.code,
      message: errorMessage(error.code, error.context, language),
      context: { ...error.context },
      requestId: request.id,
    },
    meta: {},
  };
}

/** The caller's view of an error: its own code where it has one, and else what kind of fault it was. */
export function toKervanError(error: Error): KervanError {
  if (error instanceof KervanError) return error;
  if (isDatabaseAway(error)) return new KervanError('UNAVAILABLE', {}, { cause: error });
  const { code, statusCode } = error as Partial<FastifyError>; // any Error may carry these two; absent otherwise
  const known = code === undefined ? undefined : FASTIFY_CODES[code];
  if (known !== undefined) return new KervanError(known);
  if (error instanceof SyntaxError && statusCode === 400) return new KervanError('BODY_INVALID');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new KervanError('REQUEST_INVALID');
  return new KervanError('INTERNAL', {}, { cause: error });
}
