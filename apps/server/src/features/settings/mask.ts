const SHOWN = 4;

/** The first and last 4 characters, of a key long enough that they don't give it away. */
export function maskKey(key: string): string {
  if (key.length < 4 * SHOWN) return '…';
  return `${key.slice(0, SHOWN)}…${key.slice(-SHOWN)}`;
}

/** Scheme, host and port; of what follows only that there is something, for providers put their keys there. */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
