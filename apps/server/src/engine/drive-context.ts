import type { Chain, Network, TradeSource } from '@kervan/contract';
import type { AttemptRef, ChainPort, Expiry, PreparedTransaction } from '@kervan/chains';
import type { AttemptRow, Schema, TradeRow } from '@kervan/database';
import { parsePrice } from '@kervan/domain';
import type { Transaction } from 'kysely';
import type { NonceLanes } from './nonce-lanes.ts';
import type { AttemptFate, TradeEnd } from './trade-endings.ts';
import type { TradeStore, TradeWithAttempts } from './trade-store.ts';
import { transferTerms } from './transfer.ts';

/** Where a test stops the driver, as a crash between two writes would. */
export type Checkpoint =
  'prepared' | 'signed' | 'attempt committed' | 'broadcast' | 'outcome known' | 'trade ended';

export interface DriveTiming {
  /** How long after planning a trade may still make a (new) attempt. */
  readonly planTimeoutMs: number;
  /** How often the same bytes are sent again while nothing is known of them. */
  readonly rebroadcastMs: number;
  /** How long an EVM transaction may be stuck before a same-nonce replacement pays more. */
  readonly replaceAfterMs: number;
  /**
   * How long before a stuck EVM transaction is replaced by one that moves nothing: before its router's deadline,
   * after which it could only revert.
   */
  readonly cancelAfterMs: number;
  /** Pause before a node that failed is asked again. */
  readonly retryMs: number;
}

export const DRIVE_TIMING: DriveTiming = {
  planTimeoutMs: 120_000,
  rebroadcastMs: 2_000,
  replaceAfterMs: 20_000,
  cancelAfterMs: 110_000,
  retryMs: 1_000,
};

/** What a source of trades does when one of its trades ends. */
export interface TradeListener {
  /** Runs in the transaction that ends the trade; what it returns runs after the commit. */
  ended?(trx: Transaction<Schema>, trade: TradeRow): Promise<(() => void) | void>;
  /** Of a source that writes nothing, so that there need be no more than one statement: runs after the commit. */
  told?(trade: TradeRow): void;
}

export interface DriveDeps {
  readonly store: TradeStore;
  readonly lanes: NonceLanes;
  readonly port: (chain: Chain, network: Network, userId: string) => ChainPort;
  /** Reads the sealed key of the trade's wallet. */
  readonly readKey: (owner: KeyOwner) => Promise<SigningKey>;
  readonly listenerOf: (source: TradeSource) => TradeListener | undefined;
  /** Called once after the commit that ended the trade, with what its source has to tell. */
  readonly onEnded: (trade: TradeRow, tell: () => void) => void;
  /** Drives the trades of a bundle until they have ended or are trades of their own; answers those that ended. */
  readonly driveBundle: (bundleId: string) => Promise<readonly TradeRow[]>;
  /** US dollars for one SOL or BNB as decimal text, or null. Answers at once while it is known, and never throws. */
  readonly nativePrice: (chain: Chain, network: Network) => Promise<string | null>;
  readonly timing: DriveTiming;
  /** Told of a trade's id, or of a bundle's where its trades do the step together. */
  readonly checkpoint: (at: Checkpoint, id: string) => Promise<void> | void;
}

/** A key that is sealed until it is used. */
export interface SigningKey {
  /** Opens the key for one use and wipes it after. */
  use<T>(sign: (secret: Uint8Array) => Promise<T>): Promise<T>;
}

/** Whose key a trade is signed with; without the trade's id while it is still being planned. */
export type KeyOwner = Pick<TradeRow, 'wallet_id' | 'user_id' | 'chain'> & { readonly id?: string };

/** A trade's first attempt, and the key to sign it with where that is stored. */
export interface PreparedAhead {
  readonly transaction: Promise<PreparedTransaction>;
  readonly key: Promise<SigningKey> | undefined;
}

/** What one step of a drive came to. */
export type Step =
  | { readonly kind: 'ended'; readonly trade: TradeRow }
  /** `known`: how the trade stands now, where the step itself wrote it; otherwise it is to be read again. */
  | { readonly kind: 'goes on'; readonly known?: TradeWithAttempts };

/** One call of `driveTrade` or `driveBundle`. */
export interface Drive extends DriveDeps {
  readonly signal: AbortSignal;
  /** What was prepared while the trade was planned; taken once. */
  ahead: PreparedAhead | undefined;
  /** Attempts committed by this very call: nobody else can have sent them, so the chain need not be asked first. */
  readonly own: Set<string>;
  /** Whether this call knows that the trade holds its nonce lane. */
  hasLane: boolean;
  /** When this call first sent something. */
  sentAt: Date | null;
}

export async function endTrade(
  drive: Drive,
  trade: TradeRow,
  fates: readonly AttemptFate[],
  end: TradeEnd,
): Promise<Step> {
  const listener = drive.listenerOf(trade.source);
  let tell: (() => void) | void;
  const write = async (trx: Transaction<Schema>, ending: TradeRow) => {
    tell = await listener?.ended?.(trx, ending);
  };
  const inTransaction = listener?.ended && write;
  const priceUnits = end.state === 'success' ? await priceOf(drive, trade) : null;
  const ending = { trade, fates, end, priceUnits, sentAt: drive.sentAt };
  const ended = await drive.store.end(ending, inTransaction);
  if (trade.chain === 'bsc') drive.lanes.released(trade);
  await drive.checkpoint('trade ended', trade.id);
  drive.onEnded(ended, () => {
    tell?.();
    listener?.told?.(ended);
  });
  return { kind: 'ended', trade: ended };
}

async function priceOf(drive: Drive, trade: TradeRow): Promise<bigint | null> {
  const price = await drive.nativePrice(trade.chain, trade.network);
  return price === null ? null : (parsePrice(price) ?? null);
}

/** An attempt as the chain is asked about it. */
export function attemptRef(trade: TradeRow, attempt: AttemptRow): AttemptRef {
  const transfer = transferTerms(trade);
  return {
    txId: attempt.tx_id,
    owner: trade.wallet_address,
    action: trade.action,
    tokenAddress: trade.token_address,
    ...(transfer && { transfer }),
    expiry: expiryOf(attempt),
    createdAt: attempt.created_at,
  };
}

function expiryOf(attempt: AttemptRow): Expiry {
  if (attempt.nonce !== null) return { kind: 'nonce', nonce: attempt.nonce };
  if (attempt.last_valid_block_height !== null)
    return { kind: 'block-height', lastValidBlockHeight: attempt.last_valid_block_height };
  throw new Error(`attempt ${attempt.id} has nothing that ends it`);
}
