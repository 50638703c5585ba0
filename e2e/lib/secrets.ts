import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getBase58Decoder } from '@solana/kit';

/** A text or byte sequence that must not be found, and what it is. */
export interface Needle {
  readonly what: string;
  readonly bytes: Buffer;
}

/** Every form in which a key could leak: raw, hex, base58, base64, JSON array; of the secret half and of the whole. */
export function needlesOf(label: string, secret: Uint8Array, publicKey?: Uint8Array): Needle[] {
  const forms = [secret, ...(publicKey ? [Buffer.concat([secret, publicKey])] : [])];
  return forms.flatMap((form) => {
    const bytes = Buffer.from(form);
    const array = [...bytes];
    return [
      { what: `${label} raw`, bytes },
      ...[
        ['hex', bytes.toString('hex')],
        ['HEX', bytes.toString('hex').toUpperCase()],
        ['base58', getBase58Decoder().decode(bytes)],
        ['base64', bytes.toString('base64').replace(/=+$/, '')],
        ['base64url', bytes.toString('base64url')],
        ['array', array.join(',')],
        ['spaced array', array.join(', ')],
      ].map(([form, text]) => ({ what: `${label} ${form}`, bytes: Buffer.from(text ?? '', 'latin1') })),
    ];
  });
}

/** Names the needles that are in `haystack`. */
export function findNeedles(haystack: Buffer, needles: readonly Needle[]): string[] {
  return needles.filter((needle) => haystack.includes(needle.bytes)).map((needle) => needle.what);
}

/** Searches every file below `folder`. Answers "file: needle" for each find, and how many bytes were read. */
export async function searchFiles(
  folder: string,
  needles: readonly Needle[],
): Promise<{ finds: string[]; bytesRead: number }> {
  const finds: string[] = [];
  let bytesRead = 0;
  const longest = Math.max(...needles.map((needle) => needle.bytes.length));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    let tail = Buffer.alloc(0);
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: 4 << 20 })) {
        // A find may lie across two chunks.
        const window = Buffer.concat([tail, Buffer.from(chunk)]);
        bytesRead += window.length - tail.length;
        finds.push(...findNeedles(window, needles).map((what) => `${file}: ${what}`));
        tail = window.subarray(Math.max(0, window.length - longest));
      }
    } catch (error) {
      // PostgreSQL removes files while it runs.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return { finds, bytesRead };
}
