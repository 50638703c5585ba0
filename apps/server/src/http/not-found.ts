import type { FastifyInstance } from 'fastify';
import { API_BASE, KervanError, routes, type Route } from '@kervan/contract';

const patterns = Object.values<Route>(routes).map((route) => ({
  method: route.method,
  url: API_BASE + route.path,
  path: new RegExp(`^${API_BASE}${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** An address that exists for other methods answers 405 with them, any other 404. */
export function addNotFoundHandler(app: FastifyInstance): void {
  app.setNotFoundHandler((request, response) => {
    const [path = ''] = request.url.split('?');
    const methods = patterns
      .filter(({ method, url, path: pattern }) => pattern.test(path) && app.hasRoute({ method, url }))
      .map(({ method }) => method);
    if (methods.length === 0) throw new KervanError('ROUTE_NOT_FOUND');
    void response.header('allow', methods.join(', '));
    throw new KervanError('METHOD_NOT_ALLOWED');
  });
}
