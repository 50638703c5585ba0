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

  it('takes 0 for any free port of a local chain', () => {
    const { sandboxPorts } = readConfig({ KERVAN_SANDBOX_SOLANA_PORT: '0' });
    expect(sandboxPorts).toEqual({ solana: 0, bsc: 0 });
  });

  it('names all bad variables at once and repeats no value', () => {
    const env = {
      PORT: '-1',
      HOST: '0.0.0.0',
      DATABASE_URL: 'mysql://user:hush@host',
      KERVAN_ROLE: 'hush',
      KERVAN_SANDBOX_BSC_PORT: '70000',
      KERVAN_SANDBOX: 'maybe',
    };
    expect(() => readConfig(env)).toThrow(
      /PORT must[^]*DATABASE_URL must[^]*KERVAN_ROLE must[^]*KERVAN_REGISTRATION must[^]*BSC_PORT must[^]*KERVAN_SANDBOX must/,
    );
    expect(() => readConfig(env)).not.toThrow(/hush/);
  });
});
