import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hashRaw } from '@node-rs/argon2';
import { z } from 'zod';

/** How a passphrase becomes a key, stored beside the vault: argon2id of version 0x13. */
export const kdfSchema = z.strictObject({
  salt: z.base64(),
  memoryCost: z.number().int(),
  timeCost: z.number().int(),
  parallelism: z.number().int(),
});
export type Kdf = z.infer<typeof kdfSchema>;

// About half a second of one core: a passphrase is typed rarely, and is weaker than a key.
const COST = { memoryCost: 128 * 1024, timeCost: 4, parallelism: 1 };

export const PASSPHRASE_MIN_LENGTH = 12;

export function newKdf(): Kdf {
  return { salt: randomBytes(16).toString('base64'), ...COST };
}

export function keyFromPassphrase(passphrase: string, kdf: Kdf): Promise<Buffer> {
  const { salt, memoryCost, timeCost, parallelism } = kdf;
  return hashRaw(passphrase.normalize('NFKC'), {
    salt: Buffer.from(salt, 'base64'),
    memoryCost,
    timeCost,
    parallelism,
    outputLen: 32,
  });
}

/** The passphrase in a file, without the line's end. */
export async function readPassphraseFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
}
