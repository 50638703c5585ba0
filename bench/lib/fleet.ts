import { createHash } from 'node:crypto';
import type { Chain } from '@kervan/contract';
import type { Database, Schema } from '@kervan/database';
import type { Insertable } from 'kysely';
import type { ChainKeys } from '../../apps/server/src/engine/networks.ts';
import { createScheduler } from '../../apps/server/src/engine/scheduler.ts';
import { uuidv7 } from '../../apps/server/src/lib/ids.ts';
import type { Vault } from '../../apps/server/src/vault/vault.ts';

export interface FleetToken {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

export interface FleetPlan {
  /** Over both chains, half each. */
  readonly bots: number;
  readonly minIntervalSec: number;
  readonly maxIntervalSec: number;
  /** What the bots trade, in turn. */
  readonly tokens: Readonly<Record<Chain, readonly FleetToken[]>>;
  readonly seed: string;
}

export interface FleetWallet {
  readonly id: string;
  readonly address: string;
}

export interface Fleet {
  readonly wallets: Readonly<Record<Chain, readonly FleetWallet[]>>;
}

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
/** Rows in one statement: PostgreSQL takes 65,535 parameters. */
const ROWS = 1000;
const AMOUNT = { amount_min: 0.001, amount_max: 0.002 };
const SLIPPAGE_BPS = 500;

/** Puts bots into the database, not yet active, each with a wallet of its own whose key the vault has sealed. */
export async function createFleet(
  tools: { db: Database; vault: Vault; keys: (chain: Chain) => ChainKeys },
  plan: FleetPlan,
): Promise<Fleet> {
  const { db, vault, keys } = tools;
  const userId = uuidv7();
  const username = `fleet-${userId}`;
  await db
    .insertInto('users')
    .values({ id: userId, username, username_key: username, password_hash: '-' })
    .execute();

  const rows: Record<Chain, Insertable<Schema['wallets']>[]> = { solana: [], bsc: [] };
  const bots: Insertable<Schema['bots']>[] = [];
  for (let index = 0; index < plan.bots; index++) {
    const chain = CHAINS[index % 2] ?? 'solana';
    const serial = Math.floor(index / 2);
    const { address, secret } = await keys(chain).createKey();
    const walletId = uuidv7();
    const { sealedKey, wrappedDataKey } = vault.seal({ userId, walletId, chain }, secret);
    rows[chain].push({
      id: walletId,
      user_id: userId,
      chain,
      name: `${chain} ${serial}`,
      address,
      sealed_key: sealedKey,
      wrapped_data_key: wrappedDataKey,
    });
    const token = plan.tokens[chain][serial % plan.tokens[chain].length];
    if (!token) throw new Error(`There is nothing to trade on ${chain}`);
    bots.push({
      id: uuidv7(),
      user_id: userId,
      wallet_id: walletId,
      chain,
      network: 'sandbox',
      name: `${chain} ${serial}`,
      action: 'buy',
      token_address: token.address,
      token_symbol: token.symbol,
      token_decimals: token.decimals,
      ...AMOUNT,
      range_time_min: plan.minIntervalSec,
      range_time_max: plan.maxIntervalSec,
      slippage_bps: SLIPPAGE_BPS,
      dex_version: chain === 'solana' ? null : serial % 2 === 0 ? 'v2' : 'v3',
      seed: createHash('sha256').update(`${plan.seed} ${index}`).digest(),
    });
  }
  for (const wallets of Object.values(rows)) {
    for (const part of parts(wallets)) await db.insertInto('wallets').values(part).execute();
  }
  for (const part of parts(bots)) await db.insertInto('bots').values(part).execute();
  const walletsOf = (chain: Chain) => rows[chain].map(({ id, address }) => ({ id, address }));
  return { wallets: { solana: walletsOf('solana'), bsc: walletsOf('bsc') } };
}

/** Starts every bot there is, as if all had been running for long: none of their runs coincide more than by chance. */
export async function startFleet(db: Database, databaseUrl: string, plan: FleetPlan): Promise<void> {
  const scheduler = createScheduler({
    databaseUrl,
    onError: (error) => {
      throw error;
    },
  });
  await scheduler.start();
  try {
    const ids = await db.selectFrom('bots').select('id').orderBy('id').execute();
    const startedAt = Date.now();
    for (const part of parts(ids)) {
      await db.transaction().execute(async (trx) => {
        const runs = part.map(({ id }) => ({
          botId: id,
          run: 0n,
          dueAt: new Date(startedAt + timeToFirstRunMs(plan, id)),
        }));
        for (const { botId, dueAt } of runs) {
          await trx
            .updateTable('bots')
            .set({ is_active: true, next_run_at: dueAt })
            .where('id', '=', botId)
            .execute();
        }
        await scheduler.enqueue(trx, runs);
      });
    }
  } finally {
    await scheduler.stop();
  }
}

/**
 * How long a bot that has been running for long still waits, seen at any moment: somewhere in an interval, which is
 * more likely to be a long one (the stationary residual life of a renewal process with uniform intervals).
 */
function timeToFirstRunMs({ minIntervalSec, maxIntervalSec, seed }: FleetPlan, botId: string): number {
  const digest = createHash('sha256').update(`${seed} ${botId}`).digest();
  const [first, second] = [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
  const interval = Math.sqrt(minIntervalSec ** 2 + first * (maxIntervalSec ** 2 - minIntervalSec ** 2));
  return Math.round(second * interval * 1000);
}

function* parts<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS);
}
