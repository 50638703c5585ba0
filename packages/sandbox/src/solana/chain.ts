import type { Genesis } from './genesis.ts';
import type { History } from './history.ts';
import type { LandedTransaction } from './ledger-record.ts';
import type { LedgerStorage, StoredLedger } from './ledger-storage.ts';
import { createRuntime, type Runtime, type Simulation } from './runtime.ts';
import { createSlotClock, slotMs, type SlotClock } from './slot-clock.ts';
import { createTokenIndex, type TokenIndex } from './token-index.ts';
import { attemptTransaction, type Attempt } from './transaction-attempt.ts';
import type { TransactionError } from './transaction-error.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** How much is kept of the past, and in what portions. */
export interface Retention {
  /** Records after which the state is saved and a new journal segment begins. */
  checkpointRecords: number;
  /** Journal segments kept with full history. */
  keptSegments: number;
}

/** About 50,000 transactions in full. */
const defaultRetention: Retention = { checkpointRecords: 4096, keptSegments: 12 };
/** Newest transactions that `getTransaction` finds without reading the disk. */
const recentTransactions = 2000;

/** What became of a transaction that was handed in. */
export type Submission =
  | { outcome: 'landed'; transaction: LandedTransaction }
  /** Taken and forgotten, as a cluster does with what cannot be included: it will never land. */
  | { outcome: 'ignored' }
  /** Refused before anything happened. */
  | { outcome: 'refused'; error: TransactionError; logs: string[]; unitsConsumed: number };

export interface Chain {
  readonly runtime: Runtime;
  readonly clock: SlotClock;
  readonly tokens: TokenIndex;
  readonly history: History;
  /**
   * Executes and records a transaction at once. With preflight a transaction that would fail is refused
   * without a trace; without it a failing one lands with its error and pays its fee. `checkBlockhash`
   * false is for the sandbox's own transactions.
   */
  submit(transaction: WireTransaction, options: { preflight: boolean; checkBlockhash?: boolean }): Submission;
  /** Executes transactions in order, in one slot, all or none. */
  submitTogether(transactions: readonly WireTransaction[]): boolean;
  /** What the transaction would do now; nothing is kept. */
  simulate(
    transaction: WireTransaction,
    options: { verifySignatures: boolean; checkBlockhash: boolean },
  ): Simulation;
  /** The full record of a landed transaction; undefined if it is unknown or its record was dropped. */
  transaction(signature: string): Promise<LandedTransaction | undefined>;
  /** Nothing that may tell of a transaction may leave before this resolves. */
  durable(): Promise<void>;
  onLanded(listener: (transactions: readonly LandedTransaction[]) => void): void;
  onSlot(listener: (slot: number, previous: number) => void): void;
  close(): Promise<void>;
}

/** A chain from what its files held, with its slots running. */
export function createChain(options: {
  genesis: Genesis;
  storage: LedgerStorage;
  stored: StoredLedger;
  now: () => number;
  areBlockhashesExpired: () => boolean;
  retention?: Retention;
}): Chain {
  const { genesis, storage } = options;
  const { history, lastSlot } = options.stored;
  const { checkpointRecords, keptSegments } = options.retention ?? defaultRetention;
  const runtime = restoreRuntime(genesis, options.stored);
  const tokens = createTokenIndex(runtime);
  const recent = new Map<string, LandedTransaction>();
  const landedListeners: ((transactions: readonly LandedTransaction[]) => void)[] = [];
  const slotListeners: ((slot: number, previous: number) => void)[] = [];
  const clock = createSlotClock({ ...options, firstSlot: lastSlot });
  runtime.setClock(clock.slot, clock.unixSeconds);
  let checkpoint: Promise<void> | undefined;

  const timer = setInterval(() => {
    const previous = clock.slot;
    if (!clock.advance()) return;
    runtime.setClock(clock.slot, clock.unixSeconds);
    for (const listener of slotListeners) listener(clock.slot, previous);
  }, slotMs / 2);

  /** Why a transaction cannot even be tried. */
  function obstacle(
    { signature, message }: WireTransaction,
    checkBlockhash = true,
  ): TransactionError | undefined {
    if (history.status(signature)) return 'AlreadyProcessed';
    return !checkBlockhash || clock.isBlockhashValid(message.blockhash) ? undefined : 'BlockhashNotFound';
  }

  function record(transactions: readonly LandedTransaction[]): void {
    const at = storage.append(transactions);
    transactions.forEach((transaction, index) => {
      history.add(transaction, { ...at, index });
      for (const { address, account } of transaction.effects) tokens.update(address, account);
      recent.set(transaction.signature, transaction);
    });
    for (const signature of recent.keys()) {
      if (recent.size <= recentTransactions) break;
      recent.delete(signature);
    }
    for (const listener of landedListeners) listener(transactions);
    if (storage.openRecords >= checkpointRecords) checkpoint ??= takeCheckpoint();
  }

  async function takeCheckpoint(): Promise<void> {
    try {
      await storage.checkpoint(() => runtime.save());
      for (const segment of storage.segments.slice(0, -keptSegments)) {
        await storage.dropSegment(segment, history.dropSegment(segment));
      }
    } catch (error) {
      // The journal still holds everything; the next checkpoint tries again.
      process.emitWarning(error instanceof Error ? error : new Error(String(error)));
    } finally {
      checkpoint = undefined;
    }
  }

  return {
    runtime,
    clock,
    tokens,
    history,
    submit(transaction, { preflight, checkBlockhash }) {
      const error = obstacle(transaction, checkBlockhash);
      if (error !== undefined) {
        return preflight ? { outcome: 'refused', error, logs: [], unitsConsumed: 0 } : { outcome: 'ignored' };
      }
      const attempt = attemptTransaction(transaction, { runtime, clock, tokens });
      if (preflight && attempt.execution.error !== null) {
        attempt.undo();
        return { outcome: 'refused', ...attempt.execution, error: attempt.execution.error };
      }
      if (!attempt.isCharged) {
        attempt.undo();
        return { outcome: 'ignored' };
      }
      const landed = attempt.land();
      record([landed]);
      return { outcome: 'landed', transaction: landed };
    },
    submitTogether(transactions) {
      const landed: LandedTransaction[] = [];
      // Newest first, as they have to be undone.
      const attempts: Attempt[] = [];
      for (const transaction of transactions) {
        const isRepeated = landed.some(({ signature }) => signature === transaction.signature);
        const attempt =
          isRepeated || obstacle(transaction) !== undefined
            ? undefined
            : attemptTransaction(transaction, { runtime, clock, tokens });
        if (attempt) attempts.unshift(attempt);
        if (!attempt || attempt.execution.error !== null) {
          for (const each of attempts) each.undo();
          return false;
        }
        landed.push(attempt.land());
      }
      record(landed);
      return true;
    },
    simulate(transaction, { verifySignatures, checkBlockhash }) {
      const error = checkBlockhash ? obstacle(transaction) : undefined;
      if (error !== undefined) return { ...nothingRan, error };
      const isLegacy = transaction.message.version === 'legacy';
      return runtime.simulate(transaction.wire, isLegacy, { verifySignatures });
    },
    async transaction(signature) {
      const known = recent.get(signature);
      if (known) return known;
      const entry = history.find(signature);
      return entry && storage.read(entry.position);
    },
    durable: () => storage.durable(),
    onLanded: (listener) => void landedListeners.push(listener),
    onSlot: (listener) => void slotListeners.push(listener),
    async close() {
      clearInterval(timer);
      await checkpoint;
      await storage.close();
    },
  };
}

const nothingRan: Omit<Simulation, 'error'> = {
  logs: [],
  unitsConsumed: 0,
  returnData: null,
  innerInstructions: [],
  postAccounts: new Map(),
};

function restoreRuntime(genesis: Genesis, stored: StoredLedger): Runtime {
  const runtime = createRuntime(stored.state);
  genesis.loadProgram(runtime);
  genesis.write(runtime);
  for (const [address, account] of stored.changes) runtime.put(address, account);
  return runtime;
}
