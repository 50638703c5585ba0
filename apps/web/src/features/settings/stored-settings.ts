import type { Settings } from '@kervan/contract';

type Store = Pick<Storage, 'setItem' | 'removeItem'>;

/**
 * What spec §7 keeps in the browser, as design §11 allows it: the networks, and of the provider key and the node only
 * what the server shows of them. Other pages of this browser read them; the server alone decides.
 */
export function storeSettings({ solana, bsc }: Settings, storage: Store): void {
  const entries = {
    provider_network: solana.network,
    provider_key_masked: solana.providerKey,
    bsc_chain_id: String(bsc.chainId),
    bsc_rpc_url: bsc.rpcUrl,
  };
  try {
    for (const [key, value] of Object.entries(entries)) {
      if (value === null) storage.removeItem(key);
      else storage.setItem(key, value);
    }
  } catch {
    // A full or forbidden store: nothing here depends on it.
  }
}
