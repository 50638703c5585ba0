import { describe, expect, test } from 'vitest';
import { createHostRule } from './allowed-hosts.ts';

describe('a server on loopback', () => {
  const isAllowed = createHostRule({ host: '127.0.0.1', hosts: [] });

  test.each(['localhost', 'LOCALHOST:80', '127.0.0.1:3001', '127.9.9.9', '[::1]', '[::1]:3001'])(
    'answers as %s',
    (host) => expect(isAllowed(host)).toBe(true),
  );

  test.each([
    undefined,
    '',
    'rebound.example',
    'rebound.example:3001',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '192.168.1.4:3001',
    '0.0.0.0:3001',
    '[::2]',
    'localhost:3001@rebound.example',
    'localhost, rebound.example',
  ])('does not answer as %s', (host) => expect(isAllowed(host)).toBe(false));

  test('answers under a listed name too, as behind a proxy', () => {
    const behindProxy = createHostRule({ host: '127.0.0.1', hosts: ['kervan.example'] });
    expect(behindProxy('Kervan.Example:443')).toBe(true);
    expect(behindProxy('localhost')).toBe(true);
    expect(behindProxy('other.example')).toBe(false);
  });
});

describe('a server on another address', () => {
  test('answers under any name', () => {
    expect(createHostRule({ host: '0.0.0.0', hosts: [] })('kervan.example')).toBe(true);
  });

  test('keeps to the list when there is one', () => {
    const isAllowed = createHostRule({ host: '0.0.0.0', hosts: ['kervan.example'] });
    expect([isAllowed('kervan.example'), isAllowed('other.example')]).toEqual([true, false]);
  });
});
