import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, type Chain, type Network, type TradeSource } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import type { Database, Schema, TradeRow } from '@kervan/database';
import { isOpen } from '@kervan/domain';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import {
  DRIVE_TIMING,
  type Checkpoint,
  type DriveDeps,
  type DriveTiming,
  type KeyOwner,
  type SigningKey,
  type TradeListener,
} from './drive-context.ts';
import { driveBundle } from './drive-bundle.ts';
import { driveTrade } from './drive-trade.ts';
import type { TradeIntent } from './intent.ts';
import { createNonceLanes } from './nonce-lanes.ts';
import { networkRefusal } from './test-networks.ts';
import { planTrades, type NewTrade, type PlannedTrade, type PlanResult } from './plan-trades.ts';
import { createPreparations } from './prepare-ahead.ts';
import { createTradeLeases, LeaseLostError, type AbandonedTrade } from './trade-leases.ts';
import { createTradeStore } from './trade-store.ts';

export interface ExecutorDeps {
  readonly db: Database;
  /** The port that a user's trades go through. */
  readonly port: (chain: Chain, network: Network, userId: string) => ChainPort;
  readonly readKey: (owner: KeyOwner) => Promise<SigningKey>;
  /** Told when this process no longer drives a trade: what it held for it is not needed any more. */
  readonly onDriven?: (tradeId: string) => void;
  readonly listeners: Partial<Record<TradeSource, TradeListener>>;
  readonly logger: Logger;
  /** What trades are worth; without it, nothing is known of that. */
  readonly nativePrice?: DriveDeps['nativePrice'];
  /** Told of every ended trade, for the figures. */
  readonly onEnded?: (trade: TradeRow) => void;
  readonly timing?: Partial<ExecutorTiming>;
  /** Tests stop the executor here, as a crash would. */
  readonly checkpoint?: (at: Checkpoint, tradeId: string) => Promise<void> | void;
}

interface ExecutorTiming extends DriveTiming {
  /** A trade whose lease has run out is taken over. */
  readonly leaseMs: number;
  /** How often leases are renewed and abandoned trades looked for. */
  readonly heartbeatMs: number;
}

const TIMING: ExecutorTiming = { ...DRIVE_TIMING, leaseMs: 12_000, heartbeatMs: 2_000 };

/** Trades that one heartbeat takes over: those left behind by a large process come in portions. */
const ADOPTED_AT_ONCE = 200;

interface PlanOptions {
  /**
   * Whether new trades are prepared while they are planned, for those who drive them at once and wait for it. Costs
   * questions to the chain for what is then not planned.
   */
  readonly prepareAhead?: boolean;
}

export type Executor = ReturnType<typeof createExecutor>;

/**
 * The one place through which trades happen. `plan` makes a trade exist, in the caller's transaction; `drive`
 * brings it to its end in this process; what a dead process left behind is found and driven on by the heartbeat
 * of any other.
 */
export function createExecutor(deps: ExecutorDeps) {
  const timing = { ...TIMING, ...deps.timing };
  /** This process incarnation, as leases name it. */
  const owner = randomUUID();
  const store = createTradeStore(deps.db, owner);
  const leases = createTradeLeases(deps.db, owner, timing.leaseMs);
  const lanes = createNonceLanes(deps.db, owner);
  const inFlight = new Map<string, Promise<TradeRow>>();
  const bundles = new Map<string, Promise<TradeRow[]>>();
  const stopping = new AbortController();
  const preparations = createPreparations({ ...deps, stopping: stopping.signal });
  let heart: Promise<void> | undefined;

  /**
   * Creates the trade in the caller's transaction, or finds the one with the intent's key. Throws LIMIT_PER_TRADE,
   * LIMIT_PER_WALLET_DAY, TRADING_HALTED, WALLET_NOT_FOUND or VOLUME_LIVE_NETWORK.
   */
  async function plan(
    trx: Transaction<Schema>,
    intent: TradeIntent,
    options?: PlanOptions,
  ): Promise<PlannedTrade> {
    const [result] = await planMany(trx, [intent], options);
    if (!result) throw new Error('planning one trade gives one result');
    if ('refusal' in result) throw result.refusal;
    return result;
  }

  /** `plan` for many trades in a few statements; each is answered on its own, in order. */
  async function planMany(
    trx: Transaction<Schema>,
    intents: readonly TradeIntent[],
    { prepareAhead = false }: PlanOptions = {},
  ): Promise<PlanResult[]> {
    const lease = { owner, leaseMs: timing.leaseMs };
    const planning = planTrades(trx, intents, lease, new Date(), (intent) =>
      networkRefusal(deps.port, intent),
    );
    if (!prepareAhead) return await planning;
    const begun = preparations.begin(intents);
    let results: PlanResult[] = [];
    try {
      results = await planning;
      return results;
    } finally {
      for (const [index, planned] of (await begun).entries()) planned(results[index]);
    }
  }

  /**
   * Drives a planned trade to its end, once however often it is called. To be called after the commit of `plan`.
   * Rejects only when the executor stops first; the trade is then driven on by another process, or after restart.
   *
   * @param planned the trade as `plan` gave it, which saves reading it again
   */
  function drive(tradeId: string, planned?: NewTrade | null): Promise<TradeRow> {
    const known = inFlight.get(tradeId);
    if (known) return known;
    const driving = driveUntilEnded(tradeId, planned ?? undefined).finally(() => {
      inFlight.delete(tradeId);
      deps.onDriven?.(tradeId);
    });
    inFlight.set(tradeId, driving);
    return driving;
  }

  async function driveUntilEnded(tradeId: string, planned?: NewTrade): Promise<TradeRow> {
    for (let failures = 0; ; failures++) {
      stopping.signal.throwIfAborted();
      try {
        const known = failures === 0 ? planned : undefined;
        const ahead = known && preparations.take(tradeId);
        return await driveTrade(driveDeps, tradeId, known, ahead, stopping.signal);
      } catch (error) {
        stopping.signal.throwIfAborted();
        if (error instanceof LeaseLostError) return await waitForEnd(tradeId);
        if (isNetworkMissing(error)) {
          deps.logger.warn({ err: error, tradeId }, 'a trade is left to a process that has its network');
          await leases.release(tradeId).catch(() => {});
          return await waitForEnd(tradeId);
        }
        deps.logger.warn({ err: error, tradeId }, 'driving a trade was interrupted; trying again');
        await delay(Math.min(timing.retryMs * 2 ** Math.min(failures, 3), 5_000), undefined, {
          signal: stopping.signal,
        });
      }
    }
  }

  const driveDeps: DriveDeps = {
    store,
    lanes,
    port: deps.port,
    readKey: deps.readKey,
    timing,
    nativePrice: deps.nativePrice ?? (() => Promise.resolve(null)),
    checkpoint: deps.checkpoint ?? (() => {}),
    driveBundle: bundleOnce,
    listenerOf: (source) => deps.listeners[source],
    onEnded(trade, tell) {
      try {
        deps.onEnded?.(trade);
        tell();
      } catch (error) {
        deps.logger.error({ err: error, tradeId: trade.id }, 'an ended trade could not be told of');
      }
    },
  };

  /** The drives of a bundle's trades are one: whichever comes first does it for all. */
  function bundleOnce(bundleId: string): Promise<TradeRow[]> {
    const known = bundles.get(bundleId);
    if (known) return known;
    const driving = driveBundle(driveDeps, bundleId, stopping.signal).finally(() => bundles.delete(bundleId));
    bundles.set(bundleId, driving);
    return driving;
  }

  /** Another process drives the trade: here it is only waited for. */
  async function waitForEnd(tradeId: string): Promise<TradeRow> {
    for (;;) {
      const trade = await deps.db
        .selectFrom('trades')
        .selectAll()
        .where('id', '=', tradeId)
        .executeTakeFirstOrThrow();
      if (!isOpen(trade.state)) return trade;
      // Perhaps this process has adopted it since.
      if (trade.lease_owner === owner) return await driveUntilEnded(tradeId);
      await delay(timing.retryMs, undefined, { signal: stopping.signal });
    }
  }

  /** Drives a trade that nobody waits for. */
  function driveInBackground(tradeId: string, planned?: NewTrade | null): void {
    drive(tradeId, planned).catch((error: unknown) => {
      if (!stopping.signal.aborted) deps.logger.error({ err: error, tradeId }, 'a trade could not be driven');
    });
  }

  /** Renews this process's leases and takes abandoned trades over. */
  async function heartbeat(): Promise<void> {
    await leases.renew([...inFlight.keys()]);
    const abandoned = await leases.findAbandoned(ADOPTED_AT_ONCE);
    const adopted = await leases.adopt(abandoned.filter(hasNetwork).map(({ id }) => id));
    if (adopted.length > 0) deps.logger.info({ trades: adopted.length }, 'taking abandoned trades over');
    for (const tradeId of adopted) driveInBackground(tradeId);
  }

  /** Whether this process can ask the trade's chain: one that can't must leave the trade to others. */
  function hasNetwork({ chain, network, user_id }: AbandonedTrade): boolean {
    try {
      deps.port(chain, network, user_id);
      return true;
    } catch {
      return false;
    }
  }

  async function beat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await heartbeat().catch((error: unknown) =>
        deps.logger.warn({ err: error }, 'the executor could not reach the database'),
      );
      await delay(timing.heartbeatMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Begins recovery; trades can be planned and driven from then on. */
  function start(): void {
    heart ??= beat();
  }

  /** Stops driving. Open trades stay as committed and are driven on by whoever takes them over. */
  async function stop(): Promise<void> {
    stopping.abort(new Error('the executor is stopping'));
    await heart;
    await Promise.allSettled(inFlight.values());
    await leases
      .release()
      .catch((error: unknown) =>
        deps.logger.warn({ err: error }, 'leases could not be given up; they run out by themselves'),
      );
  }

  return {
    plan,
    planMany,
    drive,
    driveInBackground,
    start,
    stop,
    openTrades: () => inFlight.size,
  };
}

/** The node of the trade's network is not there for this process, or is another network's. */
function isNetworkMissing(error: unknown): boolean {
  return (
    error instanceof KervanError &&
    (error.code === 'NETWORK_UNAVAILABLE' || error.code === 'NETWORK_MISMATCH')
  );
}
