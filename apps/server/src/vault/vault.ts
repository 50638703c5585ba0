import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { KervanError, type Chain } from '@kervan/contract';
import { open, seal } from './sealing.ts';

/** Whose key it is: bound to the sealed bytes, so that they open in no other row. */
export interface KeyOwner {
  userId: string;
  walletId: string;
  chain: Chain;
}

export interface SealedKey {
  sealedKey: Buffer;
  wrappedDataKey: Buffer;
}

/** The key over all keys, and the count of rotations that led to it. */
export interface MasterKey {
  key: KeyObject;
  version: number;
}

export interface Vault {
  seal(owner: KeyOwner, secret: Uint8Array): SealedKey;
  /** Opens for one use and wipes the bytes after `use` settles. Throws VAULT_LOCKED, or a plain Error if tampered. */
  withSecret<T>(owner: KeyOwner, sealed: SealedKey, use: (secret: Uint8Array) => Promise<T>): Promise<T>;
  /** 32 bytes for another purpose, from which nothing of the master key can be learnt (HKDF-SHA256). */
  deriveKey(purpose: string): Uint8Array;
  isLocked(): boolean;
  /** Forgets the master key: nothing opens any more in this process. */
  lock(): void;
}

/**
 * Each secret is sealed with a data key of its own, and the data key wrapped by the master key, so that a
 * rotation re-wraps 32 bytes a wallet and never opens a secret.
 */
export function createVault(master: MasterKey): Vault {
  let current: MasterKey | undefined = master;

  function unlocked(): MasterKey {
    if (current === undefined) throw new KervanError('VAULT_LOCKED');
    return current;
  }

  return {
    seal(owner, secret) {
      const { key, version } = unlocked();
      const dataKey = randomBytes(32);
      try {
        return {
          sealedKey: seal(createSecretKey(dataKey), secret, secretContext(owner)),
          wrappedDataKey: wrapDataKey({ key, version }, owner, dataKey),
        };
      } finally {
        dataKey.fill(0);
      }
    },

    async withSecret(owner, sealed, use) {
      const dataKey = unwrapDataKey(unlocked(), owner, sealed.wrappedDataKey);
      let secret: Buffer;
      try {
        secret = open(createSecretKey(dataKey), sealed.sealedKey, secretContext(owner));
      } catch (error) {
        throw tampered(owner, error);
      } finally {
        dataKey.fill(0);
      }
      try {
        return await use(secret);
      } finally {
        secret.fill(0);
      }
    },

    deriveKey(purpose) {
      return new Uint8Array(hkdfSync('sha256', unlocked().key, new Uint8Array(), `kervan ${purpose}`, 32));
    },

    isLocked: () => current === undefined,
    lock: () => (current = undefined),
  };
}

/** Version (4 bytes) ‖ sealed data key. The version tells a rotated vault from a damaged one. */
export function wrapDataKey({ key, version }: MasterKey, owner: KeyOwner, dataKey: Uint8Array): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(version);
  return Buffer.concat([header, seal(key, dataKey, dataKeyContext(owner, version))]);
}

/** The data key, which the caller wipes. Throws VAULT_LOCKED when it was wrapped by another master key. */
export function unwrapDataKey({ key, version }: MasterKey, owner: KeyOwner, wrapped: Buffer): Buffer {
  if (wrapped.length < 4) throw tampered(owner);
  // Rotated since this process started: it has to be started again with the new key.
  if (wrapped.readUInt32BE(0) !== version) throw new KervanError('VAULT_LOCKED');
  try {
    return open(key, wrapped.subarray(4), dataKeyContext(owner, version));
  } catch (error) {
    throw tampered(owner, error);
  }
}

function secretContext({ userId, walletId, chain }: KeyOwner): string {
  return `kervan secret ${userId} ${walletId} ${chain}`;
}

function dataKeyContext({ userId, walletId, chain }: KeyOwner, version: number): string {
  return `kervan data key ${version} ${userId} ${walletId} ${chain}`;
}

function tampered({ walletId }: KeyOwner, cause?: unknown): Error {
  return new Error(`the stored key of wallet ${walletId} was changed or belongs to another wallet`, {
    cause,
  });
}
