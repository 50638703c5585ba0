import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: nonce (12) ‖ ciphertext ‖ tag (16), bound to `context` as associated data. */
export function seal(key: KeyObject, plaintext: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** The plaintext, which the caller wipes. Throws when key, context or bytes are not those it was sealed with. */
export function open(key: KeyObject, sealed: Uint8Array, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('the sealed bytes are cut short');
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, end));
  try {
    decipher.final();
  } catch (error) {
    plaintext.fill(0);
    throw error;
  }
  return plaintext;
}
