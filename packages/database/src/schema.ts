import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type {
  Action,
  Chain,
  DexVersion,
  ErrorContext,
  LogLevel,
  Network,
  TradeSource,
  VolumeState,
  VolumeWalletStatus,
} from '@kervan/contract';
import type {
  AttemptPurpose,
  AttemptState,
  DrainStage,
  TradeKind,
  TradeState,
  VolumePurpose,
} from '@kervan/domain';

/**
 * The tables as TypeScript sees them. `numeric(78,0)` and `bigint` columns are bigints (see connect.ts); they hold
 * base units, nonces, heights and counters. Times are Dates.
 */
export interface Schema {
  users: UsersTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  settings: SettingsTable;
  user_nodes: UserNodesTable;
  instance: InstanceTable;
  vault: VaultTable;
  wallets: WalletsTable;
  bots: BotsTable;
  bot_logs: BotLogsTable;
  trades: TradesTable;
  trade_attempts: TradeAttemptsTable;
  fast_swaps: FastSwapsTable;
  nonce_lanes: NonceLanesTable;
  volume_sessions: VolumeSessionsTable;
  volume_wallets: VolumeWalletsTable;
  ledger_tail: LedgerTailTable;
  ledger_blocks: LedgerBlocksTable;
  ledger_runs: LedgerRunsTable;
  ledger_entries: LedgerEntriesTable;
  idempotent_requests: IdempotentRequestsTable;
  balance_samples: BalanceSamplesTable;
  result_days: ResultDaysTable;
  result_watermarks: ResultWatermarksTable;
}

type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** A column that may be left out on insert and is null then. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface UsersTable {
  id: string;
  /** As the person typed it. */
  username: string;
  /** The same for every spelling in upper or lower case: what makes it unique. */
  username_key: string;
  password_hash: string;
  created_at: CreatedAt;
}

/** One sign-in and all refresh tokens that descend from it. */
interface SessionsTable {
  id: string;
  user_id: string;
  created_at: CreatedAt;
  expires_at: Date;
  revoked_at: Optional<Date>;
  /** What the browser that signed in called itself. */
  user_agent: Optional<string>;
  last_used_at: ColumnType<Date, Date | undefined, Date>;
}

interface RefreshTokensTable {
  /** SHA-256 of the token: the token itself is with the browser only. */
  token_hash: Buffer;
  session_id: string;
  /** The token that this one was given for; null for the first of its session. */
  parent_hash: Optional<Buffer>;
  created_at: CreatedAt;
  /** Set when it was exchanged; presented once more after that, it ends the session. */
  used_at: Optional<Date>;
}

interface SettingsTable {
  user_id: string;
  /** What the user has chosen: networks and limits. */
  data: ColumnType<unknown, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** What opens a user's own nodes: a key, or an address that may hold one. */
interface UserNodesTable {
  id: string;
  user_id: string;
  chain: Chain;
  name: UserNodeName;
  /** Sealed like a wallet's key, with this row's id in the wallet's place. */
  sealed_value: Buffer;
  wrapped_data_key: Buffer;
  /** What its user may see of it. */
  hint: string;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

/** One row: what holds for the whole installation. */
interface InstanceTable {
  id: Generated<boolean>;
  halted: Generated<boolean>;
  halted_changed_at: Optional<Date>;
}

/** One row: which master key the wallets are sealed under. */
interface VaultTable {
  id: Generated<boolean>;
  /** Counts rotations. */
  version: number;
  /** Where the master key comes from. */
  source: 'environment' | 'file' | 'passphrase';
  /** Salt and cost of the passphrase's argon2id; null otherwise. */
  kdf: ColumnType<unknown, string | null, string | null>;
  /** A known text sealed under the master key, so that a wrong key is found at start. */
  check_value: Buffer;
}

interface WalletsTable {
  id: string;
  user_id: string;
  chain: Chain;
  name: string;
  address: string;
  /** The key under its data key, and the data key under the master key. Both null once deleted. */
  sealed_key: Optional<Buffer>;
  wrapped_data_key: Optional<Buffer>;
  /** Made or pasted for a volume session: none of the wallets that a user sees and uses. */
  is_of_session: Generated<boolean>;
  created_at: CreatedAt;
  deleted_at: Optional<Date>;
}

interface BotsTable {
  id: string;
  user_id: string;
  wallet_id: string;
  chain: Chain;
  network: Network;
  name: string;
  action: Action;
  token_address: Optional<string>;
  token_symbol: Optional<string>;
  token_decimals: Optional<number>;
  /** Typed amounts in native (buy) or tokens (sell): the exact number the person typed. */
  amount_min: number;
  amount_max: number;
  range_time_min: number;
  range_time_max: number;
  slippage_bps: number;
  dex_version: Optional<DexVersion>;
  is_active: Generated<boolean>;
  seed: Buffer;
  /** Runs so far; the next run draws with this number. */
  run_count: Generated<bigint>;
  next_run_at: Optional<Date>;
  /** The delay drawn for the next run. */
  interval_ms: Optional<number>;
  last_run: Optional<Date>;
  execution_count: Generated<number>;
  failures_in_a_row: Generated<number>;
  created_at: CreatedAt;
  deleted_at: Optional<Date>;
}

interface BotLogsTable {
  id: Generated<bigint>;
  bot_id: string;
  created_at: CreatedAt;
  level: LogLevel;
  message: string;
  data: ColumnType<unknown, string | null | undefined, never>;
}

interface TradesTable {
  id: string;
  user_id: string;
  idempotency_key: string;
  /** Null where the key was pasted. */
  wallet_id: Optional<string>;
  wallet_name: string;
  wallet_address: string;
  chain: Chain;
  network: Network;
  source: TradeSource;
  source_id: Optional<string>;
  source_name: Optional<string>;
  kind: Generated<TradeKind>;
  /** Whom a transfer pays; null for a swap. */
  recipient: Optional<string>;
  /** A transfer, which only gives, is stored as a sell. */
  action: Action;
  /** Empty for a transfer of the chain's own coin. */
  token_address: string;
  token_symbol: Optional<string>;
  token_decimals: number;
  /** 0 for a transfer of everything. */
  amount_in_units: bigint;
  slippage_bps: number;
  dex_version: Optional<DexVersion>;
  /** BSC: a tier's name or a price in wei; null for what is paid where nobody chose. */
  gas_choice: Optional<string>;
  /** Trades with the same one land together or not at all (Solana). */
  bundle_id: Optional<string>;
  /** Native value that counts against limits while the trade is open or landed. */
  limit_value_units: bigint;
  state: TradeState;
  tx_id: Optional<string>;
  native_units: Optional<bigint>;
  token_units: Optional<bigint>;
  fee_units: Optional<bigint>;
  tip_units: Optional<bigint>;
  rent_units: Optional<bigint>;
  /** US dollars for one SOL or BNB when the trade ended, times 10^18; null if no price was known or it never landed. */
  native_price_units: Optional<bigint>;
  /** What `native_units` was worth by that price, in millionths of a dollar. */
  usd_micros: Optional<bigint>;
  error_code: Optional<string>;
  error_context: ColumnType<ErrorContext | null, string | null | undefined, string | null>;
  /** The process that drives the trade, and until when that holds unless renewed. */
  lease_owner: Optional<string>;
  lease_until: Optional<Date>;
  planned_at: CreatedAt;
  simulated_at: Optional<Date>;
  signed_at: Optional<Date>;
  sent_at: Optional<Date>;
  ended_at: Optional<Date>;
  /** When the chain executed it, though never before it was planned; when it ended, if it never landed. */
  executed_at: Optional<Date>;
}

interface TradeAttemptsTable {
  id: string;
  trade_id: string;
  /** 1, 2, 3 … within the trade. */
  number: number;
  purpose: AttemptPurpose;
  tx_id: string;
  bytes: Buffer;
  /** What makes it die: exactly one of the two is set. */
  nonce: Optional<bigint>;
  last_valid_block_height: Optional<bigint>;
  gas_price_units: Optional<bigint>;
  state: AttemptState;
  fee_units: Optional<bigint>;
  height: Optional<bigint>;
  created_at: CreatedAt;
  ended_at: Optional<Date>;
}

/** One request for a fast swap; its trades name it as their source. */
interface FastSwapsTable {
  id: string;
  user_id: string;
  idempotency_key: string;
  /** SHA-256 over what was asked for; of a pasted key its address takes part. */
  request_hash: Buffer;
  chain: Chain;
  /** A `PlannedLeg[]` of the server's fast swaps. */
  legs: ColumnType<unknown, string, never>;
  created_at: CreatedAt;
}

/** Who may use an EVM account's next nonce. A row exists while its trade holds the lane. */
interface NonceLanesTable {
  network: Network;
  address: string;
  trade_id: string;
}

interface VolumeSessionsTable {
  id: string;
  user_id: string;
  /** The caller's: the same start asked for again is the same session. */
  idempotency_key: Optional<string>;
  chain: Chain;
  network: Network;
  state: VolumeState;
  master_wallet_id: string;
  master_name: string;
  master_address: string;
  /** Its key was pasted for this session, and goes when the session ends. */
  is_master_pasted: boolean;
  token_address: string;
  token_symbol: Optional<string>;
  token_decimals: number;
  wallet_count: number;
  /** What a wallet is funded with, as the person typed it. */
  min_amount: number;
  max_amount: number;
  trading_interval_ms: number;
  slippage_bps: number;
  dex_version: Optional<DexVersion>;
  seed: Buffer;
  /** Turns so far; the next one is drawn by this number. */
  turn: Generated<number>;
  failures_in_a_row: Generated<number>;
  /** When the session has something to do next by the clock: its turn, or another try after waiting. */
  next_at: ColumnType<Date, Date | undefined, Date>;
  /** Why it waits. */
  problem_code: Optional<string>;
  problem_context: ColumnType<ErrorContext | null, string | null | undefined, string | null>;
  /** Why it stopped itself. */
  stop_code: Optional<string>;
  stop_context: ColumnType<ErrorContext | null, string | null | undefined, string | null>;
  started_at: CreatedAt;
  stopped_at: Optional<Date>;
  ended_at: Optional<Date>;
}

interface VolumeWalletsTable {
  wallet_id: string;
  session_id: string;
  /** 0, 1, 2 … within the session. */
  number: number;
  address: string;
  funding_units: bigint;
  status: VolumeWalletStatus;
  /** Trades asked for so far; the next one's key is made of this number. */
  step: Generated<number>;
  /** The open trade that the wallet waits for: its own, or the one that funds it. */
  trade_id: Optional<string>;
  trade_purpose: Optional<VolumePurpose>;
  drain_stage: Generated<DrainStage>;
  /** Trades that the stage has had. */
  drain_tries: Generated<number>;
  /** Since when the chain has shown less in it than it ought to hold: its node may lag. */
  lags_since: Optional<Date>;
  // Sums over the wallet's settled trades, written by the transactions that end them.
  /** Swaps that landed. */
  trades: Generated<number>;
  funded_units: Generated<bigint>;
  /** What the master paid to fund it. */
  funding_fee_units: Generated<bigint>;
  bought_units: Generated<bigint>;
  sold_units: Generated<bigint>;
  /** Fees and tips of its own transactions. */
  fee_units: Generated<bigint>;
  /** Deposits for token accounts that are open. */
  deposit_units: Generated<bigint>;
  recovered_units: Generated<bigint>;
  recovered_token_units: Generated<bigint>;
  /** Tokens that it ought to hold. */
  held_token_units: Generated<bigint>;
  /** What the chain showed in it when it was drained or given up. */
  left_native_units: Optional<bigint>;
  left_token_units: Optional<bigint>;
  problem_code: Optional<string>;
  problem_context: ColumnType<ErrorContext | null, string | null | undefined, string | null>;
  last_activity: Optional<Date>;
}

/** What trades of one kind have in common. */
interface LedgerKind {
  chain: Chain;
  network: Network;
  source: TradeSource;
  action: Action;
  state: TradeState;
}

/** Ended trades that are not in a block yet; the database writes them. */
interface LedgerTailTable extends LedgerKind {
  user_id: string;
  trade_id: string;
  executed_at: Date;
  usd_micros: Optional<bigint>;
}

/** A span of a user's ended trades, by (executed_at, trade_id); both ends are trades of it. */
interface LedgerBlocksTable {
  id: Generated<bigint>;
  user_id: string;
  from_at: Date;
  from_id: string;
  to_at: Date;
  to_id: string;
}

/** A block's trades of one kind. */
interface LedgerRunsTable extends LedgerKind {
  id: Generated<bigint>;
  block_id: bigint;
  entries: number;
  /** Those of known value. */
  valued: number;
}

interface LedgerEntriesTable {
  run_id: bigint;
  usd_micros: Optional<bigint>;
  /** Its place among the run's trades of known value, from 1 for the smallest. */
  rank: Optional<number>;
  executed_at: Date;
  trade_id: string;
}

interface IdempotentRequestsTable {
  user_id: string;
  key: string;
  /** SHA-256 over route, parameters and body. */
  request_hash: Buffer;
  status: number;
  answer: ColumnType<unknown, string, never>;
  created_at: CreatedAt;
}

/** The native coins of all of a user's wallets together at one moment. */
interface BalanceSamplesTable {
  user_id: string;
  chain: Chain;
  network: Network;
  at: Date;
  native_units: bigint;
}

/** What a UTC day's trades brought; written by SQL alone. */
interface ResultDaysTable {
  user_id: string;
  chain: Chain;
  network: Network;
  day: Date;
  net_units: bigint;
  trades: number;
}

/** All of the user's days before `until` are in `result_days`. */
interface ResultWatermarksTable {
  user_id: string;
  until: Date;
}

export type UserNodeName = 'solana-provider-key' | 'bsc-testnet-url' | 'bsc-mainnet-url';

export type TradeRow = Selectable<TradesTable>;
export type NewTrade = Insertable<TradesTable>;
export type AttemptRow = Selectable<TradeAttemptsTable>;
export type BotRow = Selectable<BotsTable>;
export type BotLogRow = Selectable<BotLogsTable>;
export type WalletRow = Selectable<WalletsTable>;
export type VolumeSessionRow = Selectable<VolumeSessionsTable>;
export type VolumeWalletRow = Selectable<VolumeWalletsTable>;
