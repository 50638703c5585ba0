import { BOT_FAILURES_BEFORE_STOP, NATIVE, type ServerEvent } from '@kervan/contract';
import type { BotRow, Schema, TradeRow } from '@kervan/database';
import { formatUnits, tradeStatus } from '@kervan/domain';
import type { Transaction } from 'kysely';
import type { TradeListener } from '../../engine/drive-context.ts';
import type { Scheduler } from '../../engine/scheduler.ts';
import { toTrade, tradeError } from '../../engine/to-trade.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import type { BotLine, BotLogs } from './bot-log.ts';
import { endedLine, stoppedAfterFailuresLine } from './log-lines.ts';
import { countTrade, updateBot } from './repository.ts';
import { botStatus } from './to-bot.ts';

interface Dependencies {
  readonly scheduler: Pick<Scheduler, 'cancel'>;
  readonly logs: BotLogs;
  readonly notifier: Notifier;
}

/** What a bot does when one of its trades ends, in the transaction that ends it. */
export function createBotTradeListener({ scheduler, logs, notifier }: Dependencies): TradeListener {
  /** A trade that was cancelled could not be tried: it neither counts as an execution nor as a failure. */
  async function countIn(trx: Transaction<Schema>, trade: TradeRow): Promise<BotRow | undefined> {
    if (trade.source_id === null || trade.state === 'cancelled') return undefined;
    return await countTrade(trx, trade.source_id, {
      isSuccess: trade.state === 'success',
      endedAt: trade.executed_at ?? new Date(),
    });
  }

  async function stopAfterFailures(trx: Transaction<Schema>, bot: BotRow): Promise<BotRow | undefined> {
    if (!bot.is_active || bot.failures_in_a_row < BOT_FAILURES_BEFORE_STOP) return undefined;
    await scheduler.cancel(trx, bot.id);
    return await updateBot(trx, bot.id, { is_active: false, next_run_at: null, interval_ms: null });
  }

  return {
    async ended(trx, trade) {
      if (trade.source_id === null) return () => {};
      const owner = { botId: trade.source_id, userId: trade.user_id };
      const lines: BotLine[] = [{ ...owner, ...endedLine(trade) }];
      const bot = await countIn(trx, trade);
      const stopped = bot && (await stopAfterFailures(trx, bot));
      if (stopped) lines.push({ ...owner, ...stoppedAfterFailuresLine(stopped.failures_in_a_row) });
      const tellLogs = await logs.append(trx, lines);

      return () => {
        tellLogs();
        if (trade.state !== 'cancelled') notifier.emit(trade.user_id, 'trade:executed', tradeExecuted(trade));
        notifier.emit(trade.user_id, 'trade:updated', toTrade(trade));
        if (stopped) notifier.emit(trade.user_id, 'bot:status', botStatus(stopped, 'stopped'));
      };
    },
  };
}

function tradeExecuted(trade: TradeRow): ServerEvent<'trade:executed'> {
  const native =
    trade.native_units === null ? null : formatUnits(trade.native_units, NATIVE[trade.chain].decimals);
  return {
    botId: trade.source_id,
    chain: trade.chain,
    tradeId: trade.id,
    status: tradeStatus(trade.state),
    action: trade.action,
    amount: native,
    amountSol: native,
    amountTokens: trade.token_units === null ? null : formatUnits(trade.token_units, trade.token_decimals),
    transactionHash: trade.tx_id,
    error: tradeError(trade)?.message ?? null,
    errorCode: trade.error_code,
    errorContext: trade.error_code === null ? null : (trade.error_context ?? {}),
  };
}
