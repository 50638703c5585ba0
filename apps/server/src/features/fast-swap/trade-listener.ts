import type { TradeListener } from '../../engine/drive-context.ts';
import { toTrade } from '../../engine/to-trade.ts';
import type { Notifier } from '../../realtime/notifier.ts';

/** What a fast swap does when one of its trades ends: whoever looks on is told. */
export function createFastSwapTradeListener(notifier: Notifier): TradeListener {
  return {
    told: (trade) => notifier.emit(trade.user_id, 'trade:updated', toTrade(trade)),
  };
}
