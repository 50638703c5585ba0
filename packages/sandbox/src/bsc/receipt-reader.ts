import type { Hex } from 'viem';
import type { Ledger } from './ledger.ts';

/**
 * Reads receipts of mined transactions, in one question those that are asked for in the same turn of the event loop:
 * whoever waited for the same block asks at the same moment.
 */
export function createReceiptReader(ledger: Pick<Ledger, 'read'>): (hash: Hex) => Promise<unknown> {
  let current: { readonly hashes: Hex[]; readonly receipts: Promise<unknown[]> } | undefined;

  function begin() {
    const hashes: Hex[] = [];
    const receipts = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      current = undefined;
      const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
      return ledger.read((node) => node.callAll(calls));
    });
    return { hashes, receipts };
  }

  return async (hash) => {
    current ??= begin();
    const index = current.hashes.push(hash) - 1;
    return (await current.receipts)[index];
  };
}
