/**
 * Text from outside as it may be stored and shown: cut to `maxLength` UTF-16 units, then without control and format
 * characters, lone surrogates and unassigned code points (Unicode's category C). Postgres refuses NUL and lone
 * surrogates in jsonb, and a cut can make the latter: so it comes first.
 */
export function printable(text: string, maxLength = 200): string {
  return text.slice(0, maxLength).replaceAll(/\p{C}/gu, '').toWellFormed();
}
