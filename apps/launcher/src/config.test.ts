import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      dataDir: resolve('data'),
      host: '127.0.0.1',
      port: 3001,
      sandbox: true,
      sandboxPorts: { solana: 0, bsc: 0 },
      databaseUrl: undefined,
    });
  });

  it('takes an empty variable for an absent one', () => {
    expect(readConfig({ PORT: '', KERVAN_DATA_DIR: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('names all bad variables at once and repeats no value', () => {
    const env = { PORT: '-1', KERVAN_SANDBOX: 'maybe', DATABASE_URL: 'mysql://user:hush@host' };
    expect(() => readConfig(env)).toThrow(/PORT must[^]*KERVAN_SANDBOX must[^]*DATABASE_URL must/);
    expect(() => readConfig(env)).not.toThrow(/hush/);
  });
});
