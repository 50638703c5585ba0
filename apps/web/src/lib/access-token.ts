/** When a JWT ends, in ms since the epoch, from its exp claim; undefined when it can't be read. */
export function expiryOf(token: string): number | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return undefined;
    return typeof claims.exp === 'number' ? claims.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a token is good for another `forMs`. One that can't be read counts as expired (spec §4). */
export function isExpired(token: string, now: number, forMs = 0): boolean {
  const expiry = expiryOf(token);
  return expiry === undefined || expiry <= now + forMs;
}
