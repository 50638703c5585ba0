import { resolve } from 'node:path';
import { z } from 'zod';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** An empty variable is an absent one, as shells and compose files set it. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const port = (min: number) =>
  z.coerce
    .number({ error: `must be a port number, ${min} to 65535` })
    .int()
    .min(min)
    .max(65_535);
const oneOf = <const T extends readonly [string, string, ...string[]]>(...options: T) =>
  z.enum(options, {
    error: `must be ${options.slice(0, -1).join(', ')} or ${options.at(-1)}`,
  });

const environmentSchema = z.object({
  PORT: optional(port(0).default(3001)),
  HOST: optional(z.string().default('127.0.0.1')),
  KERVAN_HOSTS: optional(
    z
      .string()
      .default('')
      .transform((text) =>
        text
          .toLowerCase()
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      )
      .refine((names) => names.every((name) => /^[\w.-]+$|^[\da-f:.]+$/.test(name)), {
        error: 'must be host names without ports, separated by commas',
      }),
  ),
  KERVAN_DATA_DIR: optional(z.string().default('./data')),
  DATABASE_URL: optional(
    z.string({ error: 'must be set' }).regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  ),
  KERVAN_ROLE: optional(oneOf('all', 'api', 'worker').default('all')),
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
  KERVAN_REGISTRATION: optional(oneOf('open', 'first', 'closed').optional()),
  KERVAN_SANDBOX_SOLANA_PORT: optional(port(1).optional()),
  KERVAN_SANDBOX_BSC_PORT: optional(port(1).optional()),
  KERVAN_JUPITER_API_KEY: optional(
    z
      .string()
      .regex(/^[!-~]+$/, 'must be visible ASCII characters without spaces')
      .optional(),
  ),
  KERVAN_SOLANA_PROVIDER_KEY: optional(
    z
      .string()
      .trim()
      .regex(/^[\w.~-]+$/, 'must be letters, digits and . _ ~ -')
      .optional(),
  ),
  KERVAN_LOG_LEVEL: optional(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace').default('info')),
});

type Variable = keyof z.infer<typeof environmentSchema>;

export type Role = 'all' | 'api' | 'worker';
export type RegistrationRule = 'open' | 'first' | 'closed';

export interface Config {
  port: number;
  host: string;
  /** Host names, beside those of loopback, that requests may come under; empty where any may. */
  hosts: string[];
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
  /** For Solana mainnet's swaps. */
  jupiterApiKey: string | undefined;
  /** Opens Solana's provider for users without a key of their own. */
  solanaProviderKey: string | undefined;
  logLevel: string;
}

/** What is wrong with the environment: one line a variable, values left out as they may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG_INVALID';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the environment once.
 * @throws ConfigError naming every bad variable
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const result = environmentSchema.safeParse(env);
  // Both are looked for, so that nobody meets the second kind only after mending the first.
  const problems = [...(result.error ? fieldProblems(result.error) : []), ...conflicts(env)];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const parsed = result.data;
  const { KERVAN_SANDBOX_SOLANA_PORT: solanaPort, KERVAN_SANDBOX_BSC_PORT: bscPort } = parsed;
  return {
    port: parsed.PORT,
    host: parsed.HOST,
    hosts: parsed.KERVAN_HOSTS,
    dataDir: resolve(parsed.KERVAN_DATA_DIR),
    databaseUrl: parsed.DATABASE_URL,
    role: parsed.KERVAN_ROLE,
    masterKey: parsed.KERVAN_MASTER_KEY ?? null,
    passphraseFile: parsed.KERVAN_PASSPHRASE_FILE ?? null,
    registration: parsed.KERVAN_REGISTRATION ?? 'open',
    sandboxPorts: solanaPort === undefined || bscPort === undefined ? undefined : { solanaPort, bscPort },
    jupiterApiKey: parsed.KERVAN_JUPITER_API_KEY,
    solanaProviderKey: parsed.KERVAN_SOLANA_PROVIDER_KEY,
    logLevel: parsed.KERVAN_LOG_LEVEL,
  };
}

/** One problem a variable. */
function fieldProblems(error: z.ZodError): string[] {
  const messages = new Map(error.issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
  return Object.keys(environmentSchema.shape).flatMap((name) => {
    const message = messages.get(name);
    return message === undefined ? [] : [`${name} ${message}`];
  });
}

/** What only shows when several variables are looked at together. */
function conflicts(env: NodeJS.ProcessEnv): string[] {
  const problems: string[] = [];
  const isGiven = (name: Variable) => env[name] !== undefined && env[name] !== '';
  const ports = ['KERVAN_SANDBOX_SOLANA_PORT', 'KERVAN_SANDBOX_BSC_PORT'] as const;
  const missing = ports.filter((name) => !isGiven(name));
  if (missing.length === 1) problems.push(`${missing.join()} must be set beside that of the other chain`);
  const isReachable = isGiven('KERVAN_HOSTS') || !isLoopback(env['HOST'] || '127.0.0.1');
  if (isReachable && !isGiven('KERVAN_REGISTRATION')) {
    problems.push(
      'KERVAN_REGISTRATION must be set to open, first or closed where HOST or KERVAN_HOSTS lets others in',
    );
  }
  return problems;
}

/** 32 bytes from 64 hex digits or from base64, or undefined. */
export function parseMasterKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === 32 ? bytes : undefined;
}
