/** JSON whose whole numbers beyond 2^53 come out as decimal strings instead of rounded numbers. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    const { source = '' } = context ?? {};
    return /^-?\d+$/.test(source) ? source : value;
  });
}
