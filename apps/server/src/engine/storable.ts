import type { ErrorContext } from '@kervan/contract';

/** The largest number that numeric(78,0) holds. */
const MOST = 10n ** 78n - 1n;

/**
 * Units as the database can hold them. A chain may report more (a token is free to log any number): then the trade
 * must still be able to end.
 */
export function storableUnits(units: bigint): bigint {
  if (units > MOST) return MOST;
  return units < -MOST ? -MOST : units;
}

/** A context whose texts JSON in the database can hold: without NUL and lone surrogates, which a chain's words may have. */
export function storableContext(context: ErrorContext): ErrorContext {
  return Object.fromEntries(
    Object.entries(context).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    ]),
  );
}
