declare global {
  interface JSON {
    /** ES2025 (JSON.parse source text access); TypeScript's library does not declare it yet. */
    rawJSON(text: string): unknown;
  }
}

/**
 * JSON with bigints as plain integers of any size, as Solana's RPC writes its u64: kit reads them back
 * exactly, where a string would be another type.
 */
export function stringifyExact(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? JSON.rawJSON(each.toString()) : each,
  );
}
