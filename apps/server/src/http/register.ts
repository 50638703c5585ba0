import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  API_BASE,
  emptySchema,
  failureSchema,
  successSchema,
  type BodyOf,
  type DataOf,
  type Meta,
  type ParamsOf,
  type QueryOf,
  type Route,
} from '@kervan/contract';
import type { AuthenticatedUser } from './authenticate.ts';
import { idempotencyKeyOf } from './idempotency.ts';

/** What a handler is given: everything is parsed by the contract's schemas. */
export interface Call<R extends Route> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: BodyOf<R>;
  user: R['auth'] extends true ? AuthenticatedUser : undefined;
  /** On idempotent routes: the caller's Idempotency-Key. Derive the key of what must happen once from it. */
  idempotencyKey: string | undefined;
  request: FastifyRequest;
  /** For cookies and headers only; the answer is what the handler returns. */
  response: FastifyReply;
}

export type Handler<R extends Route> = (call: Call<R>) => Promise<DataOf<R> | Answer<DataOf<R>>>;

class Answer<T> {
  readonly data: T;
  readonly meta: Meta;

  constructor(data: T, meta: Meta) {
    this.data = data;
    this.meta = meta;
  }
}

/** An answer with something in the envelope's `meta`; plain data is returned as it is. */
export function reply<T>(data: T, meta: Meta): Answer<T> {
  return new Answer(data, meta);
}

// A body may be left out, null or {} where nothing is asked for; anything else is an unknown field.
export const noBody = emptySchema.nullish();
const bodyless: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** Serves one route of the contract. */
export function register<R extends Route>(app: FastifyInstance, route: R, handler: Handler<R>): void {
  const answer = async (call: Call<R>) => {
    const result = await handler(call);
    return result instanceof Answer
      ? { success: true, data: result.data, error: null, meta: result.meta }
      : { success: true, data: result, error: null, meta: {} };
  };

  app.route({
    ...routeOptions(app, route, successSchema(route.data)),
    handler: async (request, response) => {
      const call = callOf(route, request, response);
      // What is followed is answered as it stands: its handler finds by the key what it was turned into.
      if (call.idempotencyKey === undefined || route.isFollowed) return answer(call);
      return app.answerOnce(request, call.idempotencyKey, () => answer(call));
    },
  });
}

/** A file that is sent while it is made. */
export interface FileAnswer {
  readonly name: string;
  readonly content: Readable;
}

/** Serves one route of the contract whose answer is a file; the content is made no faster than the caller takes it. */
export function registerFile<R extends Route & { file: string }>(
  app: FastifyInstance,
  route: R,
  handler: (call: Call<R>) => Promise<FileAnswer>,
): void {
  app.route({
    ...routeOptions(app, route, { description: 'A file', content: { [route.file]: { schema: route.data } } }),
    handler: async (request, response) => {
      const { name, content } = await handler(callOf(route, request, response));
      return response
        .type(`${route.file}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(content);
    },
  });
}

function routeOptions(app: FastifyInstance, route: Route, success: unknown) {
  return {
    method: route.method,
    url: API_BASE + route.path,
    schema: {
      summary: route.summary,
      tags: [route.tag],
      ...(route.auth && { security: [{ bearer: [] }] }),
      params: route.params ?? emptySchema,
      querystring: route.query ?? emptySchema,
      ...(!bodyless.has(route.method) && { body: route.body ?? noBody }),
      response: { 200: success, '4xx': failureSchema, '5xx': failureSchema },
    },
    config: { isIdempotent: route.isIdempotent ?? false },
    ...(route.auth && { onRequest: app.authenticate }),
  };
}

function callOf<R extends Route>(route: R, request: FastifyRequest, response: FastifyReply): Call<R> {
  const call: Record<keyof Call<R>, unknown> = {
    params: request.params,
    query: request.query,
    body: request.body,
    user: request.user,
    idempotencyKey: route.isIdempotent ? idempotencyKeyOf(request) : undefined,
    request,
    response,
  };
  // The validator compiler replaced each part by its schema's output, which Fastify's types can't know.
  return call as Call<R>;
}
