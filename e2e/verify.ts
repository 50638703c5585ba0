/**
 * `npm run verify [-- --node "solana mainnet=https://..."]`: computes every trade's amounts anew from the chains' own
 * RPC and compares. To be run while the sandbox is up. Exit code 0: no difference.
 */
import { parseArgs } from 'node:util';
import type { Chain, Network } from '@kervan/contract';
import { readLauncherState } from '../apps/launcher/src/launcher-state.ts';
import { LIVE_SERVICES } from '../apps/server/src/engine/live-nodes.ts';
import { openDatabase } from '../apps/server/src/lib/open-database.ts';
import { bscMovements, solanaMovements, type ReadMovement } from './lib/chain-movements.ts';
import { verifyTrades } from './lib/verify-trades.ts';

const { values } = parseArgs({ options: { node: { type: 'string', multiple: true } } });
const given = new Map(
  (values.node ?? []).map((text) => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)];
  }),
);
const dataDir = process.env['KERVAN_DATA_DIR'] || './data';
const { sandboxPorts } = readLauncherState(dataDir);
const readers = new Map<string, ReadMovement>();

function readerOf(chain: Chain, network: Network): ReadMovement {
  const name = `${chain} ${network}`;
  const known = readers.get(name);
  if (known) return known;
  const url =
    given.get(name) ??
    (network === 'sandbox'
      ? `http://127.0.0.1:${sandboxPorts[chain]}`
      : LIVE_SERVICES.publicNode(chain, network).rpcUrl);
  const reader = chain === 'solana' ? solanaMovements(url) : bscMovements(url);
  readers.set(name, reader);
  return reader;
}

const database = await openDatabase(dataDir, process.env['DATABASE_URL'] || undefined);
try {
  const { trades, transactions, open, differences } = await verifyTrades(database.db, readerOf);
  for (const difference of differences) process.stdout.write(`${difference}\n`);
  process.stdout.write(
    `${trades} trades with ${transactions} transactions verified, ${differences.length} differences` +
      `${open > 0 ? `; ${open} trades are still open` : ''}\n`,
  );
  process.exitCode = differences.length > 0 ? 1 : 0;
} finally {
  await database.close();
}
