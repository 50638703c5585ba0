import type { WalletKey } from './wallet-secret.ts';

export type PastedKeys = ReturnType<typeof createPastedKeys>;

/**
 * Keys that were pasted for one request and belong to no stored wallet: in this process's memory, one for each trade
 * that they sign, and no longer than it is driven here.
 */
export function createPastedKeys() {
  const secrets = new Map<string, Uint8Array>();

  function forget(tradeId: string): void {
    secrets.get(tradeId)?.fill(0);
    secrets.delete(tradeId);
  }

  return {
    /** Keeps a copy of the secret until `forget`; to be called before the trade is driven. */
    hold(tradeId: string, secret: Uint8Array): void {
      if (!secrets.has(tradeId)) secrets.set(tradeId, Uint8Array.from(secret));
    },

    find(tradeId: string): WalletKey | undefined {
      const secret = secrets.get(tradeId);
      return secret && { use: (sign) => sign(secret) };
    },

    /** Wipes the trade's key. */
    forget,
  };
}
