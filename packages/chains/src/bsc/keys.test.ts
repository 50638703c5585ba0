import { describe, expect, it } from 'vitest';
import { createKey, exportKey, importKey } from './keys.ts';

// The well-known first account of Hardhat and Anvil.
const knownHex = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const knownAddress = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('keys', () => {
  it.each([knownHex, `0x${knownHex}`, `  0x${knownHex.toUpperCase()}\n`])('reads %j', (text) => {
    expect(importKey(text).address).toBe(knownAddress);
  });

  it('exports what was imported', () => {
    const { address, secret } = createKey();
    expect(exportKey(secret)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(importKey(exportKey(secret)).address).toBe(address);
  });

  it.each([
    ['too little', 'abc'],
    ['63 digits', knownHex.slice(1)],
    ['66 digits', `00${knownHex}`],
    ['other characters', `${knownHex.slice(1)}g`],
    ['zero', '0'.repeat(64)],
    ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['more than the order', 'f'.repeat(64)],
  ])('refuses %s without repeating it', (_, text) => {
    let error: unknown;
    try {
      importKey(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'PRIVATE_KEY_HEX_INVALID', context: {} });
    expect(JSON.stringify(error) + String(error)).not.toContain(text);
  });

  it('gives a secret a buffer of its own, which can be wiped', () => {
    expect(importKey(knownHex).secret.buffer.byteLength).toBe(32);
    expect(createKey().secret.buffer.byteLength).toBe(32);
  });
});
