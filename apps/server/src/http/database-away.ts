const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  // SQLSTATE: shutting down, crashing, starting up, out of connections
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

// What pg says only in words.
const TEXTS = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
];

/** Whether an error of a query means that PostgreSQL could not be reached, and not that the query was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (CODES.has(code) || /^08\w{3}$/.test(code)) return true;
  return TEXTS.some((text) => error.message.startsWith(text));
}
