import { describe, expect, test } from 'vitest';
import { ConfigError, parseMasterKey, readConfig } from './config.ts';

const base = { DATABASE_URL: 'postgres://user@host/db' };

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
  }
}

describe('config', () => {
  test('has defaults for everything but the database; an empty variable is an absent one', () => {
    const config = readConfig({ ...base, PORT: '', KERVAN_ROLE: '', KERVAN_MASTER_KEY: '' });
    expect(config).toMatchObject({
      port: 3001,
      host: '127.0.0.1',
      role: 'all',
      masterKey: null,
      registration: 'open',
      sandboxPorts: undefined,
    });
  });

  test('every bad variable is named, without its value', () => {
    const problems = problemsOf({
      PORT: '70000',
      HOST: '0.0.0.0',
      KERVAN_HOSTS: 'http://secret',
      DATABASE_URL: 'mysql://secret',
      KERVAN_ROLE: 'secret',
      KERVAN_MASTER_KEY: 'secret',
      KERVAN_SANDBOX_BSC_PORT: 'secret',
    });
    // Those that are wrong only beside another one are not kept for the next try.
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'KERVAN_HOSTS',
      'DATABASE_URL',
      'KERVAN_ROLE',
      'KERVAN_MASTER_KEY',
      'KERVAN_SANDBOX_BSC_PORT',
      'KERVAN_SANDBOX_SOLANA_PORT',
      'KERVAN_REGISTRATION',
    ]);
    expect(problems.join()).not.toContain('secret');
  });

  test('a key for the swap service is one that an HTTP header can carry', () => {
    expect(readConfig({ ...base, KERVAN_JUPITER_API_KEY: 'key-1' }).jupiterApiKey).toBe('key-1');
    expect(readConfig({ ...base, KERVAN_JUPITER_API_KEY: '' }).jupiterApiKey).toBeUndefined();
    expect(problemsOf({ ...base, KERVAN_JUPITER_API_KEY: 'secret\n' })).toEqual([
      'KERVAN_JUPITER_API_KEY must be visible ASCII characters without spaces',
    ]);
  });

  test('a key of the Solana provider is one that a query parameter can carry', () => {
    expect(readConfig({ ...base, KERVAN_SOLANA_PROVIDER_KEY: ' ab-12 ' }).solanaProviderKey).toBe('ab-12');
    expect(problemsOf({ ...base, KERVAN_SOLANA_PROVIDER_KEY: 'a&b' })).toEqual([
      'KERVAN_SOLANA_PROVIDER_KEY must be letters, digits and . _ ~ -',
    ]);
  });

  test('one sandbox port without the other is refused', () => {
    expect(problemsOf({ ...base, KERVAN_SANDBOX_BSC_PORT: '8545' })).toEqual([
      expect.stringMatching(/^KERVAN_SANDBOX_SOLANA_PORT must /),
    ]);
  });

  test.each(['0.0.0.0', '::', '192.168.1.4', 'example.com', '127.0.0.1.example.com'])(
    'on %s, who may register must be said',
    (HOST) => {
      expect(problemsOf({ ...base, HOST })).toEqual([expect.stringMatching(/^KERVAN_REGISTRATION must /)]);
      expect(problemsOf({ ...base, HOST, KERVAN_REGISTRATION: 'first' })).toEqual([]);
    },
  );

  test('names that a proxy passes on are a list, and then too it must be said who may register', () => {
    const env = { ...base, KERVAN_HOSTS: 'Kervan.example, other.example,' };
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^KERVAN_REGISTRATION must /)]);
    expect(readConfig({ ...env, KERVAN_REGISTRATION: 'closed' }).hosts).toEqual([
      'kervan.example',
      'other.example',
    ]);
  });

  test.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost'])('%s is this machine only', (HOST) => {
    expect(problemsOf({ ...base, HOST })).toEqual([]);
  });
});

describe('a master key', () => {
  const bytes = Buffer.alloc(32, 0xfb);

  test.each(['hex', 'base64', 'base64url'] as const)('is read as %s', (encoding) => {
    expect(parseMasterKey(bytes.toString(encoding))?.equals(bytes)).toBe(true);
  });

  test.each(['', 'x', bytes.subarray(1).toString('hex'), `${bytes.toString('hex')}00`, 'z'.repeat(64)])(
    'is not %j',
    (text) => {
      expect(parseMasterKey(text)).toBeUndefined();
    },
  );
});
