import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault, type KeyOwner, type SealedKey } from './vault.ts';

const master = () => ({ key: createSecretKey(randomBytes(32)), version: 1 });
const owner: KeyOwner = { userId: 'u1', walletId: 'w1', chain: 'bsc' };
const secret = () => Buffer.alloc(32, 7);
const read = (bytes: Uint8Array) => Promise.resolve(Buffer.from(bytes).toString('hex'));

describe('vault', () => {
  test('opens what it sealed, for one use, and wipes it after', async () => {
    const vault = createVault(master());
    const sealed = vault.seal(owner, secret());
    let kept: Uint8Array = secret();
    const text = await vault.withSecret(owner, sealed, (bytes) => {
      kept = bytes;
      return read(bytes);
    });
    expect(text).toBe('07'.repeat(32));
    expect(kept).toEqual(Buffer.alloc(32));
    kept = secret();
    await expect(
      vault.withSecret(owner, sealed, (bytes) => {
        kept = bytes;
        return Promise.reject(new Error('signing failed'));
      }),
    ).rejects.toThrow('signing failed');
    expect(kept).toEqual(Buffer.alloc(32));
  });

  test('the same secret never looks the same twice, and nothing of it shows', () => {
    const vault = createVault(master());
    const [first, second] = [vault.seal(owner, secret()), vault.seal(owner, secret())];
    expect(first.sealedKey.equals(second.sealedKey)).toBe(false);
    expect(first.sealedKey.includes(secret().subarray(0, 4))).toBe(false);
  });

  test('every flipped bit of what is stored is found', async () => {
    const vault = createVault(master());
    const sealed = vault.seal(owner, secret());
    for (const part of ['sealedKey', 'wrappedDataKey'] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit++) {
        const changed: SealedKey = { ...sealed, [part]: Buffer.from(sealed[part]) };
        const byte = changed[part][bit >> 3] ?? 0;
        changed[part][bit >> 3] = byte ^ (1 << (bit & 7));
        await expect(vault.withSecret(owner, changed, read)).rejects.toThrow(/was changed|vault is locked/);
      }
    }
  });

  test('a key opens in no other user’s, wallet’s or chain’s row', async () => {
    const vault = createVault(master());
    const sealed = vault.seal(owner, secret());
    const others = [{ userId: 'u2' }, { walletId: 'w2' }, { chain: 'solana' as const }];
    for (const other of others) {
      await expect(vault.withSecret({ ...owner, ...other }, sealed, read)).rejects.toThrow(/another wallet/);
    }
  });

  test('cut-off bytes are refused', async () => {
    const vault = createVault(master());
    const sealed = vault.seal(owner, secret());
    for (const length of [0, 3, 4, 20, 31]) {
      await expect(
        vault.withSecret(
          owner,
          { ...sealed, wrappedDataKey: sealed.wrappedDataKey.subarray(0, length) },
          read,
        ),
      ).rejects.toThrow(/was changed|vault is locked/);
    }
  });

  test('another master key opens nothing, and a locked vault neither', async () => {
    const vault = createVault(master());
    const sealed = vault.seal(owner, secret());
    await expect(createVault(master()).withSecret(owner, sealed, read)).rejects.toThrow(/was changed/);
    vault.lock();
    await expect(vault.withSecret(owner, sealed, read)).rejects.toMatchObject({ code: 'VAULT_LOCKED' });
    expect(() => vault.seal(owner, secret())).toThrow(/locked/);
  });

  test('derived keys differ by purpose and stay the same', () => {
    const vault = createVault(master());
    expect(vault.deriveKey('a')).toEqual(vault.deriveKey('a'));
    expect(vault.deriveKey('a')).not.toEqual(vault.deriveKey('b'));
  });
});
