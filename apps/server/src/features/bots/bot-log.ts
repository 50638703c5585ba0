import type { BotLog, Page } from '@kervan/contract';
import type { BotLogRow, Database, Queryable } from '@kervan/database';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Notifier } from '../../realtime/notifier.ts';
import type { LogLine } from './log-lines.ts';

/** Entries that stay of each bot; older ones go. */
const KEPT = 1000;
/** One line in so many has its bot's old lines removed: cheap, and no bot goes without for long. */
const PRUNED_ONE_IN = 100n;

export interface BotLine extends LogLine {
  readonly botId: string;
  readonly userId: string;
}

export type BotLogs = ReturnType<typeof createBotLogs>;

/** The bots' consoles: written with the transaction they tell of, sent to the owner after its commit. */
export function createBotLogs({
  db,
  notifier,
  logger,
}: {
  db: Database;
  notifier: Notifier;
  logger: Logger;
}) {
  /** Writes the lines; what it returns is to be called after the commit. */
  async function append(trx: Queryable, lines: readonly BotLine[]): Promise<() => void> {
    if (lines.length === 0) return () => {};
    const rows = await trx
      .insertInto('bot_logs')
      .values(
        lines.map((line) => ({
          bot_id: line.botId,
          level: line.level,
          message: line.message,
          data: JSON.stringify(line.data),
        })),
      )
      .returningAll()
      .execute();
    const owners = new Map(lines.map((line) => [line.botId, line.userId]));

    return () => {
      for (const row of rows) {
        const owner = owners.get(row.bot_id);
        if (owner !== undefined) notifier.emit(owner, 'bot:log', toBotLog(row));
      }
      const pruned = rows.filter((row) => row.id % PRUNED_ONE_IN === 0n).map((row) => row.bot_id);
      if (pruned.length > 0)
        prune(pruned).catch((error: unknown) =>
          logger.warn({ err: error }, 'old bot log lines could not be removed'),
        );
    };
  }

  async function prune(botIds: readonly string[]): Promise<void> {
    await sql`
      delete from bot_logs l
      using (
        select bot_id, (
          select id from bot_logs where bot_id = b.bot_id order by id desc offset ${KEPT} limit 1
        ) as newest_old
        from unnest(${botIds}::uuid[]) as b (bot_id)
      ) as old
      where l.bot_id = old.bot_id and l.id <= old.newest_old`.execute(db);
  }

  /** Newest first. */
  async function page(
    botId: string,
    { page: number, limit }: Page,
  ): Promise<{ rows: BotLog[]; total: number }> {
    const lines = db.selectFrom('bot_logs').where('bot_id', '=', botId);
    const [rows, { total }] = await Promise.all([
      lines
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset((number - 1) * limit)
        .execute(),
      lines.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    ]);
    return { rows: rows.map(toBotLog), total: Number(total) };
  }

  return { append, page };
}

function toBotLog(row: BotLogRow): BotLog {
  return {
    id: row.id.toString(),
    bot_id: row.bot_id,
    created_at: row.created_at.toISOString(),
    level: row.level,
    message: row.message,
    data: row.data === null ? null : JSON.stringify(row.data),
  };
}
