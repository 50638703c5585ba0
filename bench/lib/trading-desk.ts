import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Chain } from '@kervan/contract';
import { connect, migrate, startEmbeddedPostgres, type Database } from '@kervan/database';
import { pino } from 'pino';
import { startNodeChild } from '../../apps/launcher/src/node-child.ts';
import { createExecutor, type Executor } from '../../apps/server/src/engine/executor.ts';
import type { TradeIntent } from '../../apps/server/src/engine/intent.ts';
import { createNetworks } from '../../apps/server/src/engine/networks.ts';
import { createSandboxClient, type SandboxClient } from '../../apps/server/src/engine/sandbox-client.ts';
import { uuidv7 } from '../../apps/server/src/lib/ids.ts';
import { createWalletKeyReader } from '../../apps/server/src/vault/wallet-secret.ts';
import { orInterrupted } from './interruption.ts';
import { openVault } from './vault.ts';

/** Everything that a trade needs, without the server around it: what a benchmark of one trade measures. */
export interface TradingDesk {
  readonly db: Database;
  readonly executor: Executor;
  readonly sandbox: SandboxClient;
  /** A new wallet in the vault with this much on the chain. */
  addWallet(chain: Chain, nativeUnits: bigint): Promise<TradeIntent['wallet'] & { readonly userId: string }>;
}

const SANDBOX = fileURLToPath(new URL('../../packages/sandbox/src/main.ts', import.meta.url));
/** As many connections as the server has. */
const CONNECTIONS = 20;

/**
 * Runs `use` with a desk on an empty folder, and closes that however it ends. Database and sandbox are processes of
 * their own, as in the product.
 */
export async function withTradingDesk<T>(folder: string, use: (desk: TradingDesk) => Promise<T>): Promise<T> {
  const desk = await openTradingDesk(folder);
  try {
    return await orInterrupted(use(desk));
  } finally {
    await desk.close();
  }
}

async function openTradingDesk(folder: string): Promise<TradingDesk & { close(): Promise<void> }> {
  const sandboxProcess = startNodeChild({
    args: [SANDBOX],
    env: { ...process.env, KERVAN_DATA_DIR: folder },
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
  });
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const ready = await sandboxProcess.ready;
  const ports = { solanaPort: Number(ready['solanaPort']), bscPort: Number(ready['bscPort']) };

  const db = connect(postgres.url, { max: CONNECTIONS });
  await migrate(db);
  const vault = await openVault(db, folder);
  const networks = createNetworks({ sandboxPorts: ports });
  const executor = createExecutor({
    db,
    port: (chain, network) => networks.port(chain, network),
    readKey: createWalletKeyReader(db, vault),
    listeners: {},
    logger: pino({ level: 'silent' }),
  });
  executor.start();
  const sandbox = createSandboxClient(ports);
  const userId = uuidv7();
  await db
    .insertInto('users')
    .values({ id: userId, username: 'bench', username_key: 'bench', password_hash: '-' })
    .execute();

  return {
    db,
    executor,
    sandbox,
    async addWallet(chain, nativeUnits) {
      const port = await networks.verifiedPort(chain, 'sandbox');
      const { address, secret } = await port.createKey();
      const id = uuidv7();
      const sealed = vault.seal({ userId, walletId: id, chain }, secret);
      const columns = { sealed_key: sealed.sealedKey, wrapped_data_key: sealed.wrappedDataKey };
      await db
        .insertInto('wallets')
        .values({ id, user_id: userId, chain, name: 'bench', address, ...columns })
        .execute();
      await sandbox.grant(chain, { address, amountUnits: nativeUnits });
      return { id, name: 'bench', address, userId };
    },
    async close() {
      await executor.stop();
      networks.close();
      await db.destroy();
      await sandboxProcess.stop();
      await postgres.stop();
    },
  };
}
