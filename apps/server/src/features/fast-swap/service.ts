import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { FAST_SWAP_ANSWER_MS, KervanError, type FastSwapResult, type Language } from '@kervan/contract';
import type { Database } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import type { Executor } from '../../engine/executor.ts';
import { isHalted } from '../../engine/halt.ts';
import type { Networks } from '../../engine/networks.ts';
import type { NewTrade } from '../../engine/plan-trades.ts';
import { toTrade } from '../../engine/to-trade.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Notifier } from '../../realtime/notifier.ts';
import type { PastedKeys } from '../../vault/pasted-keys.ts';
import { draftOrder, toIntent } from './draft-order.ts';
import { isTradeDraft } from './drafts.ts';
import { fingerprint, type Order } from './order.ts';
import { previewOrder } from './preview.ts';
import { createFastSwapRepository, type FastSwapRecord, type PlannedLeg } from './repository.ts';
import { toResult } from './to-result.ts';

interface Dependencies {
  readonly db: Database;
  readonly executor: Pick<Executor, 'planMany' | 'drive'>;
  readonly networks: Pick<Networks, 'verifiedPort'>;
  readonly pastedKeys: Pick<PastedKeys, 'hold'>;
  readonly notifier: Notifier;
}

export type FastSwapService = ReturnType<typeof createFastSwapService>;

/** A fast swap that this very call has planned. */
interface NewFastSwap extends FastSwapRecord {
  readonly trades: readonly NewTrade[];
}

/** One token, many wallets, at once. Each wallet's part is a trade like all others. */
export function createFastSwapService(deps: Dependencies) {
  const { db, executor, notifier, pastedKeys } = deps;
  const repository = createFastSwapRepository(db);

  /**
   * Trades, and answers when every leg has ended or the time is over. The same key finds what it was turned into the
   * first time, whatever became of that request; another order with that key is IDEMPOTENCY_KEY_REUSED.
   */
  async function swap(
    userId: string,
    order: Order,
    key: string | undefined,
    language: Language,
  ): Promise<FastSwapResult> {
    const until = AbortSignal.timeout(FAST_SWAP_ANSWER_MS);
    const known = key === undefined ? undefined : await repository.findByKey(userId, key);
    const record = known ?? (await plan(userId, order, key ?? randomUUID(), until));
    if (!record.request_hash.equals(fingerprint(order))) throw new KervanError('IDEMPOTENCY_KEY_REUSED');
    await driveAll(record, order, until);
    return await result(record, language);
  }

  /** Writes down, in one transaction, the request and all the trades that it comes to. */
  async function plan(
    userId: string,
    order: Order,
    key: string,
    signal: AbortSignal,
  ): Promise<FastSwapRecord | NewFastSwap> {
    if (await isHalted(db)) throw new KervanError('TRADING_HALTED');
    const drafted = await draftOrder({ ...deps, repository }, userId, order, signal);
    const planned = await db.transaction().execute(async (trx): Promise<NewFastSwap | undefined> => {
      const claimed = await repository.claim(trx, userId, key, order);
      if (!claimed) return undefined;
      const wanted = drafted.drafts.filter(isTradeDraft);
      const bundleId = drafted.port.bundles && wanted.length > 1 ? uuidv7() : undefined;
      const results = await executor.planMany(
        trx,
        wanted.map((draft) => toIntent(userId, claimed.id, bundleId, order, drafted, draft)),
        { prepareAhead: true },
      );
      const resultOf = new Map(wanted.map((draft, index) => [draft, results[index]]));
      const legs = drafted.drafts.map((draft): PlannedLeg => {
        const { walletId, walletName, address } = draft.party;
        const outcome = isTradeDraft(draft) ? resultOf.get(draft) : draft;
        const refusal = outcome && 'refusal' in outcome ? outcome.refusal : null;
        return {
          walletId,
          walletName,
          address,
          error: refusal && { code: refusal.code, context: refusal.context },
        };
      });
      const trades = results.flatMap((each) => ('trade' in each && each.trade ? each.trade : []));
      await repository.fill(trx, claimed.id, legs);
      return { ...claimed, legs, trades };
    });
    for (const trade of planned?.trades ?? []) notifier.emit(userId, 'trade:updated', toTrade(trade));
    const record = planned ?? (await repository.findByKey(userId, key));
    if (!record) throw new Error('whoever claimed the key first has written it down');
    return record;
  }

  /** Drives what is open and waits for it, as long as there is time. What a dead process left is waited for as well. */
  async function driveAll(
    record: FastSwapRecord | NewFastSwap,
    { pasted }: Order,
    until: AbortSignal,
  ): Promise<void> {
    const trades = 'trades' in record ? record.trades : await repository.tradesOf(record.id);
    const drives = trades
      .filter(({ state }) => isOpen(state))
      .map((trade) => {
        const key = pasted.find(({ address }) => address === trade.wallet_address);
        if (key && trade.wallet_id === null) pastedKeys.hold(trade.id, key.secret);
        return executor.drive(trade.id, 'has_lane' in trade ? trade : null);
      });
    // A drive rejects when this process stops; another one then drives the trade on.
    await Promise.race([Promise.allSettled(drives), until.aborted || once(until, 'abort')]);
  }

  async function result(record: FastSwapRecord, language: Language): Promise<FastSwapResult> {
    return toResult(record, await repository.tradesOf(record.id), language);
  }

  return {
    swap,

    /** How a fast swap of the user stands now. Throws FAST_SWAP_NOT_FOUND. */
    async find(userId: string, id: string, language: Language): Promise<FastSwapResult> {
      const record = await repository.find(userId, id);
      if (!record) throw new KervanError('FAST_SWAP_NOT_FOUND');
      return await result(record, language);
    },

    /** What an order would come to; nothing is signed or written. */
    preview: (userId: string, order: Order, language: Language) =>
      previewOrder({ ...deps, repository }, userId, order, language),
  };
}
