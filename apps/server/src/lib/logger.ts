import { pino, type DestinationStream, type Logger } from 'pino';

/**
 * Structured lines on stdout. A request is logged as method, route and status: its address, headers and body, where
 * tokens, passwords and keys travel, are never handed to the logger; the paths below are a second net.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[redacted]',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const SECRET_NAMES = [
  'authorization',
  'cookie',
  'password',
  'passphrase',
  'private_key',
  'privateKey',
  'privateKeyHex',
  'privateKeys',
  'masterPrivateKey',
  'secret',
  'access_token',
  'token',
  'masterKey',
  'providerKey',
  'solanaProviderKey',
  'jupiterApiKey',
  'rpcUrl',
  'databaseUrl',
];

/** Deep enough for every chain of causes that we make; one that goes round ends here. */
const MAX_CAUSES = 5;

/**
 * What of an error is logged. Never its other properties: a lost connection's error carries the whole client, with
 * the key that cancels its queries.
 */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: describeError(error.cause, depth + 1) }),
  };
}
