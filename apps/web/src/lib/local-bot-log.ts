import type { QueryClient } from '@tanstack/react-query';
import { BOT_LOGS_KEPT, type BotLog } from '@kervan/contract';

const keyOf = (botId: string) => ['localBotLog', botId] as const;

/**
 * What happened to a bot on this page alone, such as a start that never reached the server: at most 100 entries a
 * bot, newest first (spec §3). They live in the query cache, which is emptied when another account signs in.
 */
export function addLocalBotLog(queryClient: QueryClient, entry: BotLog): void {
  const key = keyOf(entry.bot_id);
  queryClient.setQueryDefaults(key, { gcTime: Infinity });
  queryClient.setQueryData<readonly BotLog[]>(key, (entries = []) =>
    [entry, ...entries].slice(0, BOT_LOGS_KEPT),
  );
}

export function localBotLogs(queryClient: QueryClient, botId: string): readonly BotLog[] {
  return queryClient.getQueryData<readonly BotLog[]>(keyOf(botId)) ?? [];
}
