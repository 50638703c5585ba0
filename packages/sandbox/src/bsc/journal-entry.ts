import { bytesToHex, hexToBytes, type Hex } from 'viem';

/** What the chain is made of, in order. */
export type JournalEntry =
  /** A raw transaction given to the pool. */
  | { kind: 'send'; raw: Hex }
  /** One that was in the pool, waiting for an earlier nonce, when the journal began. */
  | { kind: 'requeue'; raw: Hex }
  /** A block, mined from what the pool has ready, at a Unix time in seconds. */
  | { kind: 'block'; timestamp: number };

const kinds = ['send', 'requeue', 'block'] as const;

/** The kind as one byte, then the raw transaction or the time as u32 big-endian. */
export function encodeEntry(entry: JournalEntry): Uint8Array {
  const kind = Buffer.of(kinds.indexOf(entry.kind));
  if (entry.kind !== 'block') return Buffer.concat([kind, hexToBytes(entry.raw)]);
  const timestamp = Buffer.alloc(4);
  timestamp.writeUInt32BE(entry.timestamp);
  return Buffer.concat([kind, timestamp]);
}

/** Throws on a kind that this version does not know. */
export function decodeEntry(encoded: Buffer): JournalEntry {
  const kind = kinds[encoded.readUInt8()];
  if (kind === undefined) throw new Error(`Unknown kind of journal entry: ${encoded[0]}`);
  if (kind === 'block') return { kind, timestamp: encoded.readUInt32BE(1) };
  return { kind, raw: bytesToHex(encoded.subarray(1)) };
}
