/**
 * The product's fixed numbers, in one place (spec §9). Units are in the names.
 */

export const API_BASE = '/api/v1';

export const REQUEST_TIMEOUT_MS = 10_000;
export const MAX_BODY_BYTES = 64 * 1024;

export const PASSWORD_MIN_LENGTH = 6;
/** Longer passwords only make hashing expensive for the server. */
export const PASSWORD_MAX_LENGTH = 256;
export const USERNAME_MAX_LENGTH = 64;
export const NAME_MAX_LENGTH = 100;

/** The API takes intervals of 5 to 3600 s; the web form asks for 30 or more. */
export const BOT_INTERVAL_MIN_SEC = 5;
export const BOT_INTERVAL_MAX_SEC = 3600;
export const BOT_INTERVAL_DEFAULT_MIN_SEC = 120;
export const BOT_INTERVAL_DEFAULT_MAX_SEC = 180;
export const BOT_FORM_INTERVAL_MIN_SEC = 30;

export const SLIPPAGE_PERCENT_MIN = 0.1;
export const SLIPPAGE_PERCENT_MAX = 20;
export const SLIPPAGE_PERCENT_DEFAULT = 1;

/** Solana: what one bundle holds (spec §9); a client pauses between two batches. */
export const FAST_SWAP_WALLETS_MAX = 5;
export const FAST_SWAP_BATCH_PAUSE_MS = 300;
export const FAST_SWAP_BSC_WALLETS_MAX = 100;
export const FAST_SWAP_PERCENT_MIN = 1;
export const FAST_SWAP_PERCENT_MAX = 100;
export const FAST_SWAP_PERCENT_DEFAULT = 25;
export const FAST_SWAP_SLIPPAGE_DEFAULT_BPS = 25;
export const FAST_SWAP_SLIPPAGE_MAX_PERCENT = 50;
/** The server answers a fast swap after this long at the latest, which is within REQUEST_TIMEOUT_MS. */
export const FAST_SWAP_ANSWER_MS = 7_000;
/** A gwei is this many decimal places of wei. */
export const GWEI_DECIMALS = 9;
export const GAS_PRICE_CUSTOM_MIN_GWEI = 0.1;
export const GAS_PRICE_CUSTOM_MAX_GWEI = 100;
export const GAS_PRICE_CUSTOM_DEFAULT_GWEI = 1;

export const BOT_LOGS_FETCHED = 200;
export const BOT_LOGS_KEPT = 100;
/** A bot that fails this many trades in a row stops itself. */
export const BOT_FAILURES_BEFORE_STOP = 5;

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 200;
/** Wallets, bots and networks: all of them, in one page of so many. */
export const LIST_PAGE_SIZE_MAX = 1000;
export const BOT_TRADES_PAGE_SIZE = 50;
export const HISTORY_PAGE_SIZE = 25;
export const ENTERPRISE_PAGE_SIZE = 50;

/** Addresses in one balances call. */
export const BALANCE_ADDRESSES_MAX = 200;

/** Transactions of a wallet's history. */
export const WALLET_TRANSACTIONS_SHOWN = 20;
export const WALLET_TRANSACTIONS_MAX = 50;

/** Volume sessions: how many wallets, what each is funded with, how often one of them trades. */
export const VOLUME_WALLETS_MIN = 2;
export const VOLUME_WALLETS_MAX = 20;
export const VOLUME_WALLETS_DEFAULT = 4;
export const VOLUME_SOL_MIN = 0.01;
export const VOLUME_SOL_MAX = 10;
export const VOLUME_SOL_DEFAULT_MIN = 0.1;
export const VOLUME_SOL_DEFAULT_MAX = 0.2;
export const VOLUME_BNB_MIN = 0.001;
export const VOLUME_BNB_MAX = 10;
export const VOLUME_BNB_DEFAULT_MIN = 0.01;
export const VOLUME_BNB_DEFAULT_MAX = 0.02;
export const VOLUME_INTERVAL_MIN_MS = 5_000;
export const VOLUME_INTERVAL_MAX_MS = 300_000;
export const VOLUME_INTERVAL_DEFAULT_MS = 30_000;
export const VOLUME_SLIPPAGE_BPS_DEFAULT = 100;
export const VOLUME_TRADES_SHOWN = 20;
/** A session whose turns fail this many times in a row stops itself and is drained. */
export const VOLUME_FAILURES_BEFORE_STOP = 5;

/** Signatures that the read-only RPC answers. */
export const SIGNATURES_DEFAULT = 50;
export const SIGNATURES_MAX = 1000;
/** The read-only RPC's limit for a user (spec §9). */
export const RPC_CALLS_MAX = 10;
export const RPC_CALLS_WINDOW_MS = 1000;

/** Trades on a bot's price chart. */
export const BOT_CHART_TRADES_MAX = 500;

export const NATIVE = {
  solana: { symbol: 'SOL', decimals: 9 },
  bsc: { symbol: 'BNB', decimals: 18 },
} as const;
