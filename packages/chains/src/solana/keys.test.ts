import { KervanError } from '@kervan/contract';
import {
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase58Encoder,
  signatureBytes,
  verifySignature,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createKey, exportKey, importKey, parseAddress, signMessage } from './keys.ts';

function refusalOf(text: string): unknown {
  try {
    importKey(text);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('keys', () => {
  it('makes keys that kit reads as the same address', async () => {
    const key = createKey();
    expect(key.secret).toHaveLength(32);
    const pair = await createKeyPairFromBytes(getBase58Encoder().encode(exportKey(key.secret)));
    expect(await getAddressFromPublicKey(pair.publicKey)).toBe(key.address);
  });

  it('imports what it exports, as base58 and as a JSON array, with space around', () => {
    const key = createKey();
    const base58 = exportKey(key.secret);
    const array = JSON.stringify([...getBase58Encoder().encode(base58)]);
    for (const text of [base58, ` ${base58}\n`, array, ` ${array} `]) {
      expect(importKey(text)).toEqual(key);
    }
  });

  it('signs as kit verifies', async () => {
    const key = createKey();
    const message = crypto.getRandomValues(new Uint8Array(200));
    const { address, signature } = signMessage(message, key.secret);
    expect(address).toBe(key.address);
    const pair = await createKeyPairFromBytes(getBase58Encoder().encode(exportKey(key.secret)));
    expect(await verifySignature(pair.publicKey, signatureBytes(signature), message)).toBe(true);
  });

  it('refuses everything else without a word of it', () => {
    const base58 = exportKey(createKey().secret);
    const bytes = [...getBase58Encoder().encode(base58)];
    const otherHalf = [...getBase58Encoder().encode(exportKey(createKey().secret))].slice(32);
    const texts = [
      '',
      'not a key',
      `${base58}0`,
      base58.slice(0, -3),
      base58.repeat(600),
      createKey().address,
      JSON.stringify(bytes.slice(0, 32)),
      JSON.stringify([...bytes.slice(0, 32), ...otherHalf]),
      JSON.stringify([...bytes.slice(0, 63), 256 + (bytes[63] ?? 0)]),
      JSON.stringify([...bytes.slice(0, 63), String(bytes[63])]),
      JSON.stringify(bytes.map((byte) => byte + 0.5)),
      `${JSON.stringify(bytes)}]`,
      JSON.stringify({ bytes }),
    ];
    for (const text of texts) {
      const error = refusalOf(text);
      expect(error).toBeInstanceOf(KervanError);
      expect(error).toMatchObject({ code: 'PRIVATE_KEY_INVALID', context: {} });
      expect(error).not.toHaveProperty('cause');
    }
  });

  it('knows an address by its 32 bytes', () => {
    const { address } = createKey();
    expect(parseAddress(` ${address} `)).toBe(address);
    expect(parseAddress(address.slice(4))).toBeUndefined();
    expect(parseAddress('0x52908400098527886E0F7030069857D2E4169EE7')).toBeUndefined();
    expect(parseAddress('')).toBeUndefined();
  });
});
