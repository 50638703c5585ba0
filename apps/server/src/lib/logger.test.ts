import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

test('fields that hold secrets are cut out wherever they stand', () => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const secrets = { password: 'hush', headers: { authorization: 'hush', cookie: 'hush' } };
  logger.info({ ...secrets, body: { privateKeyHex: 'hush' }, err: new Error('shown') }, 'event');
  const [line = ''] = lines;
  expect(line).not.toContain('hush');
  expect(line).toContain('shown');
  expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'event', password: '[redacted]' });
});
