import { resolve } from 'node:path';

export interface LauncherConfig {
  dataDir: string;
  host: string;
  port: number;
  sandbox: boolean;
  sandboxPorts: { solana: number; bsc: number };
  databaseUrl: string | undefined;
}

/** Thrown with all bad variables at once. Values are not repeated: some of them are secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the variables the launcher itself needs. The parts read and check their own.
 *
 * @throws ConfigError
 */
export function readConfig(env: NodeJS.ProcessEnv): LauncherConfig {
  const problems: string[] = [];
  const port = (name: string, otherwise: number): number => {
    const text = env[name];
    if (text === undefined || text === '') return otherwise;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > 65_535) problems.push(`${name} must be a port number, 0 to 65535`);
    return value;
  };
  const config: LauncherConfig = {
    dataDir: resolve(env['KERVAN_DATA_DIR'] || 'data'),
    host: env['HOST'] || '127.0.0.1',
    port: port('PORT', 3001),
    sandbox: env['KERVAN_SANDBOX'] !== 'off',
    sandboxPorts: {
      solana: port('KERVAN_SANDBOX_SOLANA_PORT', 0),
      bsc: port('KERVAN_SANDBOX_BSC_PORT', 0),
    },
    databaseUrl: env['DATABASE_URL'] || undefined,
  };
  if (!['', 'on', 'off'].includes(env['KERVAN_SANDBOX'] ?? '')) {
    problems.push('KERVAN_SANDBOX must be on or off');
  }
  if (config.databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(config.databaseUrl)) {
    problems.push('DATABASE_URL must begin with postgres://');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
