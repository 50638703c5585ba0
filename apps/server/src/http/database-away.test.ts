import { expect, test } from 'vitest';
import { isDatabaseAway } from './database-away.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  withCode('ECONNREFUSED'),
  withCode('57P01'),
  withCode('57P03'),
  withCode('08006'),
  withCode('53300'),
  // What the driver says in words only.
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('timeout exceeded when trying to connect'),
  new Error('Client has encountered a connection error and is not queryable'),
  // A host with several addresses.
  new AggregateError([withCode('ECONNREFUSED')]),
])('%s means that the database is away', (error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

test.each([withCode('23505'), withCode('42601'), new Error('boom'), 'text', undefined])(
  '%s does not',
  (error) => {
    expect(isDatabaseAway(error)).toBe(false);
  },
);
