import type { BscBot, ServerEvent, SolanaBot } from '@kervan/contract';

type Bot = Pick<
  SolanaBot & BscBot,
  'id' | 'is_active' | 'last_run' | 'nextRunAt' | 'intervalSec' | 'execution_count'
>;

/** A list of bots after a status event: whether it runs, when next, and for a scheduled one that it just ran. */
export function withBotStatus<B extends Bot>(
  bots: readonly B[],
  event: ServerEvent<'bot:status'>,
  now: Date,
): B[] {
  return replace(bots, event.botId, (bot) => ({
    ...bot,
    is_active: event.is_active,
    nextRunAt: event.nextRunAt,
    intervalSec: event.intervalSec,
    ...(event.message === 'scheduled' && { last_run: now.toISOString() }),
  }));
}

/** A list of bots after a trade event: one execution more. */
export function withTrade<B extends Bot>(
  bots: readonly B[],
  event: ServerEvent<'trade:executed'>,
  now: Date,
): B[] {
  if (event.botId === null) return [...bots];
  return replace(bots, event.botId, (bot) => ({
    ...bot,
    execution_count: bot.execution_count + 1,
    last_run: now.toISOString(),
  }));
}

function replace<B extends Bot>(bots: readonly B[], id: string, change: (bot: B) => B): B[] {
  return bots.map((bot) => (bot.id === id ? change(bot) : bot));
}
