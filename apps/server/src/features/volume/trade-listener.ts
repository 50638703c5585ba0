import type { TradeListener } from '../../engine/drive-context.ts';
import { toTrade } from '../../engine/to-trade.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import { afterTrade } from './after-trade.ts';
import { beginDraining } from './drain.ts';
import { findWaitingWallet, lockSession, updateSession, updateWallet } from './repository.ts';
import { volumeUpdated } from './to-volume.ts';

interface Dependencies {
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** The session may go on at once. */
  readonly onMoved: (sessionId: string) => void;
}

/** What a session does when one of its trades or transfers ends, in the transaction that ends it. */
export function createVolumeTradeListener({ notifier, clock, onMoved }: Dependencies): TradeListener {
  return {
    async ended(trx, trade) {
      if (trade.source_id === null) return;
      const now = clock();
      const session = await lockSession(trx, trade.source_id);
      const wallet = await findWaitingWallet(trx, trade.id);
      if (!wallet) return;
      const after = afterTrade(session, wallet, trade, now);
      await updateWallet(trx, wallet.wallet_id, after.wallet);
      const changed = await updateSession(trx, session, after.session);
      const last = after.stopBecause ? await beginDraining(trx, changed, after.stopBecause, now) : changed;
      return () => {
        if (trade.kind === 'swap') notifier.emit(trade.user_id, 'trade:updated', toTrade(trade));
        notifier.emit(trade.user_id, 'volume:updated', volumeUpdated(last));
        onMoved(session.id);
      };
    },
  };
}
