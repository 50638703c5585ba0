import { expect, test } from 'vitest';
import { createLogger, describeError } from './logger.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('of an error, its code, message, stack and causes are logged, and nothing that hangs on it', () => {
  const lost = Object.assign(new Error('the connection was lost', { cause: new Error('reset') }), {
    code: 'ECONNRESET',
    client: { secretKey: 4711, connectionParameters: { password: 'hunter2' } },
  });
  const line = logged((logger) => logger.warn({ err: lost }, 'lost'));
  expect(JSON.parse(line)).toMatchObject({
    err: { code: 'ECONNRESET', message: 'the connection was lost', cause: { message: 'reset' } },
  });
  expect(line).not.toContain('4711');
  expect(line).not.toContain('hunter2');
});

test('causes that go round in a circle end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(describeError(error)).length).toBeLessThan(20_000);
});

test('fields with the names of secrets are censored', () => {
  const line = logged((logger) => logger.info({ body: { password: 'hunter2' }, token: 'abc.def' }));
  expect(line).not.toContain('hunter2');
  expect(line).not.toContain('abc.def');
});

test.each([
  'privateKey',
  'privateKeys',
  'privateKeyHex',
  'private_key',
  'masterPrivateKey',
  'masterKey',
  'providerKey',
  'solanaProviderKey',
  'jupiterApiKey',
  'rpcUrl',
])('%s is censored wherever a body or a configuration has it', (name) => {
  const line = logged((logger) =>
    logger.info({ [name]: 'hunter2', body: { [name]: 'hunter2', solana: { [name]: ['hunter2'] } } }),
  );
  expect(line).not.toContain('hunter2');
  expect(line).toContain('[redacted]');
});
