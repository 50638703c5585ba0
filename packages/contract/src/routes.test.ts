import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes, type Route } from './routes.ts';

const table: [string, Route][] = Object.entries(routes);

test('no two routes share a method and a path', () => {
  const keys = table.map(([, route]) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`);
  expect(new Set(keys).size).toBe(keys.length);
});

test.each(table)('%s describes itself as JSON schema and refuses unknown fields', (_name, route) => {
  for (const schema of [route.params, route.query, route.body]) {
    if (!schema) continue;
    const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    for (const shape of described.oneOf ?? [described])
      expect(shape).toMatchObject({ type: 'object', additionalProperties: false });
  }
  expect(() => z.toJSONSchema(route.data, { io: 'output', unrepresentable: 'any' })).not.toThrow();
});

test.each(table)('%s names exactly the parameters of its path', (_name, route) => {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const described = route.params instanceof z.ZodObject ? Object.keys(route.params.shape) : [];
  expect(described).toEqual(inPath);
});
