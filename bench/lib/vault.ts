import type { Database } from '@kervan/database';
import { openMasterKey } from '../../apps/server/src/vault/master-key.ts';
import { createVault, type Vault } from '../../apps/server/src/vault/vault.ts';

/** The vault that a server on this data directory has, or will have. */
export async function openVault(db: Database, dataDir: string): Promise<Vault> {
  return createVault(
    await openMasterKey(db, {
      dataDir,
      environmentKey: null,
      askPassphrase: undefined,
      prefersPassphrase: false,
    }),
  );
}
