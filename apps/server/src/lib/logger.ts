import { pino, type DestinationStream, type Logger } from 'pino';

/**
 * Structured lines on stdout. A request is logged as method, path and status: its headers, query and body, where
 * tokens, passwords and keys travel, are never handed to the logger; the paths below are a second net.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
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
  'privateKeyHex',
  'privateKeys',
  'secret',
  'access_token',
  'token',
  'masterKey',
  'databaseUrl',
];
