import { resolve } from 'node:path';
import { ConfigError, readConfig as readServerConfig } from '../../server/src/config.ts';

export interface LauncherConfig {
  dataDir: string;
  host: string;
  port: number;
  sandbox: boolean;
  sandboxPorts: { solana: number; bsc: number };
  databaseUrl: string | undefined;
}

/** In place of the embedded server's address, which is not known before it runs. */
const ANY_DATABASE = 'postgres://embedded';

/**
 * Reads the variables the launcher needs, and checks those of the server as well, so that all that is wrong is
 * said at once and before anything runs.
 *
 * @throws ConfigError naming every bad variable; values are not repeated, as some of them are secrets
 */
export function readConfig(env: NodeJS.ProcessEnv): LauncherConfig {
  const problems = serverProblems(env);
  const sandboxPort = (name: string): number => {
    const text = env[name] || '0';
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > 65_535) problems.push(`${name} must be a port number, 0 to 65535`);
    return value;
  };
  const config: LauncherConfig = {
    dataDir: resolve(env['KERVAN_DATA_DIR'] || 'data'),
    host: env['HOST'] || '127.0.0.1',
    port: Number(env['PORT'] || 3001),
    sandbox: env['KERVAN_SANDBOX'] !== 'off',
    sandboxPorts: {
      solana: sandboxPort('KERVAN_SANDBOX_SOLANA_PORT'),
      bsc: sandboxPort('KERVAN_SANDBOX_BSC_PORT'),
    },
    databaseUrl: env['DATABASE_URL'] || undefined,
  };
  if (!['', 'on', 'off'].includes(env['KERVAN_SANDBOX'] ?? '')) {
    problems.push('KERVAN_SANDBOX must be on or off');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What the server would say of its environment. The sandbox's ports mean something else here: 0 is any free one. */
function serverProblems(env: NodeJS.ProcessEnv): string[] {
  const { KERVAN_SANDBOX_SOLANA_PORT: _solana, KERVAN_SANDBOX_BSC_PORT: _bsc, ...rest } = env;
  try {
    readServerConfig({ ...rest, DATABASE_URL: env['DATABASE_URL'] || ANY_DATABASE });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [...error.problems];
    throw error;
  }
}
