import type { Chain, Page } from '@kervan/contract';
import type { BotRow, Queryable, Schema } from '@kervan/database';
import { openStates } from '@kervan/domain';
import { sql, type Insertable, type Updateable } from 'kysely';

export type NewBot = Insertable<Schema['bots']>;
export type BotChange = Updateable<Schema['bots']>;

/** A bot with what its trades need of its wallet. */
export type BotWithWallet = BotRow & { readonly wallet_name: string; readonly wallet_address: string };

/** What a run leaves in the bot's row. */
export interface DoneRun {
  readonly botId: string;
  readonly nextRun: bigint;
  readonly nextRunAt: Date;
  readonly intervalMs: number;
}

export interface OwnedBot {
  readonly userId: string;
  readonly botId: string;
  /** Left out where the caller does not know the chain: the socket's start and stop. */
  readonly chain?: Chain;
}

export async function pageOfBots(
  db: Queryable,
  { userId, chain, page, limit }: Page & { userId: string; chain: Chain },
): Promise<{ rows: BotRow[]; total: number }> {
  const bots = db
    .selectFrom('bots')
    .where('user_id', '=', userId)
    .where('chain', '=', chain)
    .where('deleted_at', 'is', null);
  const [rows, { total }] = await Promise.all([
    bots
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    bots.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}

function ownedBots(db: Queryable, { userId, botId, chain }: OwnedBot) {
  const bots = db
    .selectFrom('bots')
    .selectAll('bots')
    .where('bots.id', '=', botId)
    .where('bots.user_id', '=', userId)
    .where('bots.deleted_at', 'is', null);
  return chain === undefined ? bots : bots.where('bots.chain', '=', chain);
}

export async function findBot(db: Queryable, bot: OwnedBot): Promise<BotRow | undefined> {
  return await ownedBots(db, bot).executeTakeFirst();
}

/** The bot, nobody else's to change until the transaction ends. */
export async function lockBot(trx: Queryable, bot: OwnedBot): Promise<BotRow | undefined> {
  return await ownedBots(trx, bot).forUpdate().executeTakeFirst();
}

/** The bot and its wallet; with `isLocked` neither edited nor deleted until the transaction ends. */
export async function findBotWithWallet(
  db: Queryable,
  bot: OwnedBot,
  { isLocked }: { isLocked: boolean },
): Promise<BotWithWallet | undefined> {
  const found = ownedBots(db, bot)
    .innerJoin('wallets', 'wallets.id', 'bots.wallet_id')
    .select(['wallets.name as wallet_name', 'wallets.address as wallet_address']);
  return await (isLocked ? found.forShare('bots') : found).executeTakeFirst();
}

/** Bots that are active, by id; with `isLocked` the caller's to change until its transaction ends. */
export async function findActiveBots(
  db: Queryable,
  botIds: readonly string[],
  { isLocked }: { isLocked: boolean },
): Promise<Map<string, BotWithWallet>> {
  const found = db
    .selectFrom('bots')
    .innerJoin('wallets', 'wallets.id', 'bots.wallet_id')
    .selectAll('bots')
    .select(['wallets.name as wallet_name', 'wallets.address as wallet_address'])
    .where('bots.id', '=', sql<string>`any(${botIds}::uuid[])`)
    .where('bots.is_active', '=', true)
    .where('bots.deleted_at', 'is', null)
    // One order for all batches, so that two never wait for each other.
    .orderBy('bots.id');
  const bots = await (isLocked ? found.forUpdate('bots') : found).execute();
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** Those of the bots that have a trade under way. */
export async function findBusyBots(db: Queryable, botIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('trades')
    .select('source_id')
    .where('state', 'in', openStates)
    .where('source', '=', 'bot')
    .where('source_id', '=', sql<string>`any(${botIds}::uuid[])`)
    .execute();
  return new Set(rows.flatMap((row) => row.source_id ?? []));
}

/** Keeps the wallet from being deleted until the transaction ends; false if it is not the user's on this chain. */
export async function holdWallet(
  trx: Queryable,
  { userId, chain, walletId }: { userId: string; chain: Chain; walletId: string },
): Promise<boolean> {
  const wallet = await trx
    .selectFrom('wallets')
    .select('id')
    .where('id', '=', walletId)
    .where('user_id', '=', userId)
    .where('chain', '=', chain)
    .where('deleted_at', 'is', null)
    .where('is_of_session', '=', false)
    .forKeyShare()
    .executeTakeFirst();
  return wallet !== undefined;
}

export async function insertBot(trx: Queryable, bot: NewBot): Promise<BotRow> {
  return await trx.insertInto('bots').values(bot).returningAll().executeTakeFirstOrThrow();
}

export async function updateBot(trx: Queryable, id: string, change: BotChange): Promise<BotRow> {
  return await trx
    .updateTable('bots')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function writeDoneRuns(trx: Queryable, now: Date, runs: readonly DoneRun[]): Promise<void> {
  if (runs.length === 0) return;
  await sql`
    update bots
    set run_count = done.next_run, next_run_at = done.next_run_at, interval_ms = done.interval_ms, last_run = ${now}
    from unnest(
      ${runs.map((run) => run.botId)}::uuid[],
      ${runs.map((run) => run.nextRun.toString())}::bigint[],
      ${runs.map((run) => run.nextRunAt)}::timestamptz[],
      ${runs.map((run) => run.intervalMs)}::integer[]
    ) as done (id, next_run, next_run_at, interval_ms)
    where bots.id = done.id`.execute(trx);
}

/** Counts a trade that ended as success or failed. */
export async function countTrade(
  trx: Queryable,
  botId: string,
  { isSuccess, endedAt }: { isSuccess: boolean; endedAt: Date },
): Promise<BotRow | undefined> {
  return await trx
    .updateTable('bots')
    .set((row) => ({
      execution_count: row('execution_count', '+', 1),
      failures_in_a_row: isSuccess ? 0 : row('failures_in_a_row', '+', 1),
      last_run: endedAt,
    }))
    .where('id', '=', botId)
    .returningAll()
    .executeTakeFirst();
}

/** Active bots that ought to have run before `before`. */
export async function findOverdueBots(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ id: string; run_count: bigint; next_run_at: Date }[]> {
  return await db
    .selectFrom('bots')
    .select(['id', 'run_count', 'next_run_at'])
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .where('next_run_at', '<', before)
    .orderBy('next_run_at')
    .limit(limit)
    .$narrowType<{ next_run_at: Date }>()
    .execute();
}
