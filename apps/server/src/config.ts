import { resolve } from 'node:path';
import { z } from 'zod';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

const port = z.coerce.number().int().min(0).max(65_535);
/** An empty variable is an absent one, as shells and compose files set it. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const environmentSchema = z
  .object({
    PORT: optional(port.default(3001)),
    HOST: optional(z.string().default('127.0.0.1')),
    KERVAN_DATA_DIR: optional(z.string().default('./data')),
    DATABASE_URL: optional(z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')),
    KERVAN_ROLE: optional(z.enum(['all', 'api', 'worker']).default('all')),
    KERVAN_MASTER_KEY: optional(
      z
        .string()
        .transform((text, context) => {
          const key = parseMasterKey(text);
          if (key) return key;
          context.addIssue({ code: 'custom', message: 'must be 32 bytes as 64 hex digits or base64' });
          return z.NEVER;
        })
        .optional(),
    ),
    KERVAN_PASSPHRASE_FILE: optional(z.string().optional()),
    KERVAN_REGISTRATION: optional(z.enum(['open', 'first', 'closed']).optional()),
    KERVAN_SANDBOX_SOLANA_PORT: optional(port.min(1).optional()),
    KERVAN_SANDBOX_BSC_PORT: optional(port.min(1).optional()),
    KERVAN_LOG_LEVEL: optional(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info')),
  })
  .superRefine((env, context) => {
    const ports = ['KERVAN_SANDBOX_SOLANA_PORT', 'KERVAN_SANDBOX_BSC_PORT'] as const;
    const missing = ports.filter((name) => env[name] === undefined);
    const [only] = missing;
    if (missing.length === 1 && only !== undefined)
      context.addIssue({
        code: 'custom',
        path: [only],
        message: 'is missing beside that of the other chain',
      });
  })
  .superRefine((env, context) => {
    if (isLoopback(env.HOST) || env.KERVAN_REGISTRATION !== undefined) return;
    context.addIssue({
      code: 'custom',
      path: ['KERVAN_REGISTRATION'],
      message: `must be open, first or closed, because HOST ${env.HOST} can be reached from elsewhere`,
    });
  });

export type Role = 'all' | 'api' | 'worker';
export type RegistrationRule = 'open' | 'first' | 'closed';

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string;
  role: Role;
  /** Null: from a passphrase or from the file in the data directory. */
  masterKey: Buffer | null;
  /** A file that holds the passphrase, `/dev/fd/3` included. */
  passphraseFile: string | null;
  registration: RegistrationRule;
  /** Loopback ports of the sandbox chains; undefined where there is none. */
  sandboxPorts: { solanaPort: number; bscPort: number } | undefined;
  logLevel: string;
}

/** What is wrong with the environment: one line a variable, values left out as they may be secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the environment once.
 * @throws ConfigError naming every bad variable
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const result = environmentSchema.safeParse(env);
  if (!result.success) {
    throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  }
  const parsed = result.data;
  const { KERVAN_SANDBOX_SOLANA_PORT: solanaPort, KERVAN_SANDBOX_BSC_PORT: bscPort } = parsed;
  return {
    port: parsed.PORT,
    host: parsed.HOST,
    dataDir: resolve(parsed.KERVAN_DATA_DIR),
    databaseUrl: parsed.DATABASE_URL,
    role: parsed.KERVAN_ROLE,
    masterKey: parsed.KERVAN_MASTER_KEY ?? null,
    passphraseFile: parsed.KERVAN_PASSPHRASE_FILE ?? null,
    registration: parsed.KERVAN_REGISTRATION ?? 'open',
    sandboxPorts: solanaPort === undefined || bscPort === undefined ? undefined : { solanaPort, bscPort },
    logLevel: parsed.KERVAN_LOG_LEVEL,
  };
}

/** 32 bytes from 64 hex digits or from base64, or undefined. */
export function parseMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === 32 ? bytes : undefined;
}
