import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES, REQUEST_TIMEOUT_MS } from '@kervan/contract';
import { uuidv7 } from '../lib/ids.ts';
import { addHostCheck, type HostRule } from './allowed-hosts.ts';
import { addErrorHandler, sendError } from './error-handler.ts';
import { answerMalformedRequest } from './malformed-request.ts';
import { addNotFoundHandler } from './not-found.ts';
import { validatorCompiler } from './validation.ts';

interface Dependencies {
  log: FastifyBaseLogger;
  isHostAllowed: HostRule;
  onRequestEnded: (request: { method: string; route: string; status: number; ms: number }) => void;
}

/** Fastify with everything that holds for every route, and no route yet. */
export async function createHttpServer({
  log,
  isHostAllowed,
  onRequestEnded,
}: Dependencies): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // One line a request, written below.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Only a caller's id that is harmless in a log is taken over.
    requestIdHeader: false,
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : uuidv7();
    },
    frameworkErrors: (error, request, response) => void sendError(error, request, response),
    clientErrorHandler: answerMalformedRequest,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  });

  // The body of a DELETE has no meaning: it is ignored, as that of a GET.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else void parseJson(request, text, done);
  });

  app.setValidatorCompiler(validatorCompiler);
  // Answers are typed by the contract and checked against it in tests: here they only become text.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  addErrorHandler(app);
  addNotFoundHandler(app);

  app.addHook('onRequest', async (request, response) => {
    void response.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  addHostCheck(app, isHostAllowed);
  app.addHook('onResponse', async (request, response) => {
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime: ms } = response;
    // The route's pattern and never the address itself, into whose path or query a person may have pasted a key.
    const route = routeOptions.url ?? 'none';
    request.log.info({ method, route, status, ms: Math.round(ms * 10) / 10 }, 'request');
    onRequestEnded({ method, route, status, ms });
  });

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        imgSrc: ["'self'", 'data:'],
      },
    },
    // The server itself speaks plain HTTP; a proxy that adds TLS sets this header.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
  return app;
}
