import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { idempotencyHeaders } from './idempotency.ts';
import { noBody } from './register.ts';

/** The one style sheet that Swagger UI writes into its page; a browser names the new one when it has changed. */
const SWAGGER_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** OpenAPI 3.1 of the routes that follow, at /docs, and as JSON at /docs/json. */
export async function addOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kervan API',
        version,
        description: 'Every answer is an envelope: success, data, error, meta.',
      },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    transform(document) {
      const { body, ...rest } = document.schema ?? {};
      const schema = {
        ...rest,
        // That a body may be left out, null or {} is a kindness to callers, not something to be sent.
        ...(body !== noBody && { body }),
        ...(document.route.config?.isIdempotent && { headers: idempotencyHeaders }),
      };
      return jsonSchemaTransform({ ...document, schema });
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Kervan API' },
    transformStaticCSP: (policy) => `${policy};style-src 'self' ${SWAGGER_STYLE}`,
    // Without this the page asks a server of Swagger's.
    uiConfig: { validatorUrl: null },
  });
}
