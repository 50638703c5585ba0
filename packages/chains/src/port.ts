import type {
  Action,
  Chain,
  DexVersion,
  ErrorCode,
  ErrorContext,
  GasTier,
  KervanError,
  Network,
  TokenWarning,
} from '@kervan/contract';
import type { AttemptPurpose } from '@kervan/domain';

/**
 * The one seam between Kervan and a chain. An adapter is made for one network and given its transports;
 * the sandbox is another set of URLs, never a special case.
 *
 * All amounts are bigints in base units. All calls that wait take an AbortSignal. Errors that a person can
 * act on are KervanErrors; anything else an adapter throws means that the node could not be asked
 * (`NETWORK_UNREACHABLE`, with the cause), after which nothing is known and everything may be tried again.
 */
export interface ChainPort {
  readonly chain: Chain;
  readonly network: Network;

  /** Asks the node which network it serves. Throws NETWORK_MISMATCH or NETWORK_UNREACHABLE. */
  verifyNetwork(signal?: AbortSignal): Promise<void>;
  /** The genesis hash or chain id that the node last answered, whatever was expected; undefined before it was asked. */
  provenNetwork(): string | undefined;

  /** Makes a key. `secret` is the 32 bytes that the vault seals; the caller wipes it. */
  createKey(): Promise<KeyMaterial>;
  /** Reads a key as a person pastes it. Throws PRIVATE_KEY_INVALID or PRIVATE_KEY_HEX_INVALID, never with the text. */
  importKey(text: string): Promise<KeyMaterial>;
  /** The secret in the form other wallets import (base58 of 64 bytes, or 0x and 64 hex digits). */
  exportKey(secret: Uint8Array): Promise<string>;

  /** Canonical form of an address (EIP-55 on BSC), or undefined if it is none. */
  parseAddress(text: string): string | undefined;

  /** Native balance of each address, batched. Keys are the addresses as given. */
  balances(addresses: readonly string[], signal?: AbortSignal): Promise<Map<string, bigint>>;
  /** Balance of one token at each address, batched; an address that never held it has 0. */
  tokenBalances(
    addresses: readonly string[],
    tokenAddress: string,
    signal?: AbortSignal,
  ): Promise<Map<string, bigint>>;

  /** Throws TOKEN_ADDRESS_INVALID or TOKEN_NOT_FOUND. */
  describeToken(tokenAddress: string, signal?: AbortSignal): Promise<TokenInfo>;
  /**
   * What to know before trading a token, the gravest first, from what its account says (Solana) or from a purchase and a
   * sale that are only simulated (BSC). Throws TOKEN_ADDRESS_INVALID or TOKEN_NOT_FOUND.
   */
  screenToken(tokenAddress: string, signal?: AbortSignal): Promise<TokenWarning[]>;

  /** The best price right now, nothing prepared or signed. Throws ROUTE_UNAVAILABLE and the like. */
  quote(request: SwapRequest, signal?: AbortSignal): Promise<Quote>;

  /**
   * Quotes, prepares and simulates the next transaction that the swap needs: an approval first where one is
   * missing, else the swap itself. Refuses with a KervanError what would fail (BALANCE_INSUFFICIENT,
   * SLIPPAGE_EXCEEDED, SIMULATION_FAILED, ...), at no cost.
   *
   * @param accountHeld where another transaction of ours may still be under way: resolves once there is none. What such
   * a one changes of the account (its nonce, its balances) is read after that
   */
  prepareSwap(
    request: SwapRequest,
    signal?: AbortSignal,
    accountHeld?: Promise<void>,
  ): Promise<PreparedTransaction>;

  /**
   * Prepares and simulates a transfer. Refuses with a KervanError what would fail (BALANCE_INSUFFICIENT also where
   * there is nothing to move, or no more than the fee).
   */
  prepareTransfer(request: TransferRequest, signal?: AbortSignal): Promise<PreparedTransaction>;

  /**
   * A transaction in a stuck one's place: the same nonce and at least 10 % more gas price (`bump`), or one
   * that moves nothing (`cancel`). Undefined where the chain has no such thing, or at the price cap.
   */
  prepareReplacement(
    stuck: StuckAttempt,
    kind: 'bump' | 'cancel',
    signal?: AbortSignal,
  ): Promise<PreparedTransaction | undefined>;

  /** Undefined where the network has no block engine: there nothing lands together. */
  readonly bundles: Bundles | undefined;

  /** What a buy has to leave of a wallet's native balance for fees, deposits and the least that a wallet may hold. */
  buyReserve(gas?: GasChoice, signal?: AbortSignal): Promise<bigint>;

  /** What gas costs now; undefined where transactions name no gas price (Solana). */
  readonly gasPrices: ((signal?: AbortSignal) => Promise<GasPrices>) | undefined;

  /** Signs; the only call that sees a secret. Does no IO. */
  sign(prepared: PreparedTransaction, secret: Uint8Array): Promise<SignedTransaction>;

  /**
   * Hands the bytes to the network; safe to repeat. `landed` may come with the answer where the node can say so
   * at once. `rejected` is the node's word and no proof: only `outcome` ends an attempt.
   */
  broadcast(signed: BroadcastRequest, signal?: AbortSignal): Promise<BroadcastAnswer>;

  /** What has become of an attempt, by the chain's evidence at this moment. */
  outcome(attempt: AttemptRef, signal?: AbortSignal): Promise<Outcome>;

  /**
   * Resolves as soon as the outcome is no longer `pending` or the signal aborts (then with `pending`).
   * Batches the questions of all that wait. Retries through node failures; never throws for them. Answers that make
   * no sense, several times, reject it: they would go on for ever in silence.
   */
  watch(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome>;

  /** Undefined where the chain's nodes keep no index by address (BSC). */
  readonly history: AddressHistory | undefined;
  /** All tokens that an address holds. Undefined where the chain's nodes keep no index by address (BSC). */
  readonly holdings: ((owner: string, signal?: AbortSignal) => Promise<TokenHolding[]>) | undefined;

  /** Ends background work (sockets, timers). */
  close(): void;
}

export interface KeyMaterial {
  readonly address: string;
  readonly secret: Uint8Array<ArrayBuffer>;
}

export interface TokenInfo {
  readonly address: string;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

export interface TokenHolding {
  readonly token: TokenInfo;
  readonly units: bigint;
}

export interface SwapRequest {
  readonly owner: string;
  readonly action: Action;
  readonly tokenAddress: string;
  /** Native base units for a buy, token base units for a sell. */
  readonly amountInUnits: bigint;
  readonly slippageBps: number;
  /** BSC only. */
  readonly dexVersion?: DexVersion;
  /** BSC only; standard if left out. */
  readonly gas?: GasChoice;
}

/** What an EVM transaction pays for gas: a tier above the node's price, or this many wei. */
export type GasChoice = GasTier | bigint;

/** In wei. */
export interface GasPrices extends Readonly<Record<GasTier, bigint>> {
  /** The node's own price, without floor or extra. */
  readonly current: bigint;
}

/** What a transfer moves. */
export type TransferAsset =
  /** Exactly so much of the chain's own coin. */
  | { readonly kind: 'native'; readonly amountUnits: bigint }
  /** All of the chain's own coin, less exactly the fee. */
  | { readonly kind: 'native-rest' }
  /** All of a token. On Solana its account is closed as well, empty or not, and the deposit comes back to the owner. */
  | { readonly kind: 'token'; readonly tokenAddress: string };

export interface TransferTerms {
  /** Another address than the owner's. */
  readonly recipient: string;
  readonly asset: TransferAsset;
}

export interface TransferRequest extends TransferTerms {
  readonly owner: string;
}

export interface Quote {
  readonly amountInUnits: bigint;
  readonly expectedOutUnits: bigint;
  readonly minimumOutUnits: bigint;
  /** Hundredths of a percent the trade itself moves the price, where the venue tells. */
  readonly priceImpactBps: number | null;
}

/** What makes an attempt die, as stored with it. */
export type Expiry =
  | { readonly kind: 'block-height'; readonly lastValidBlockHeight: bigint }
  | { readonly kind: 'nonce'; readonly nonce: bigint };

export interface PreparedTransaction {
  readonly purpose: AttemptPurpose;
  readonly owner: string;
  readonly expiry: Expiry;
  /** EVM gas price in wei; null on Solana. */
  readonly gasPriceUnits: bigint | null;
  /** Null for all but swaps. */
  readonly quote: Quote | null;
  /** The most that the network takes for it, and for the swap itself if this is its approval: native base units. */
  readonly feeUnits: bigint;
  /** Deposit of the token account that it opens. Always 0 on BSC. */
  readonly rentUnits: bigint;
  /** What it pays the block engine. Always 0 outside a bundle. */
  readonly tipUnits: bigint;
  /** The adapter's own unsigned form: opaque to everyone else. */
  readonly unsigned: unknown;
}

/** Swaps of different wallets that land together, in their order and in one slot, or not at all: at most five. */
export interface Bundles {
  /**
   * Quotes, prepares and simulates the swaps with one common lifetime; one of them pays the tip. Each price is what is
   * left by the swaps before it. Every swap is answered on its own: with a KervanError for one that would fail, and
   * then the others are to be prepared again without it. Undefined if the block engine can't be asked.
   */
  prepare(
    requests: readonly SwapRequest[],
    signal?: AbortSignal,
  ): Promise<readonly (PreparedTransaction | KervanError)[] | undefined>;
  /** Hands all of them to the block engine; safe to repeat with the same bytes, whose word is no proof. */
  broadcast(legs: readonly Uint8Array[], signal?: AbortSignal): Promise<BundleAnswer>;
}

export type BundleAnswer = Exclude<BroadcastAnswer, { readonly kind: 'landed' }>;

export interface SignedTransaction {
  /** Solana signature or EVM hash: known before sending. */
  readonly txId: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface BroadcastRequest extends AttemptRef {
  readonly bytes: Uint8Array;
}

/** How an attempt is named when the chain is asked about it. */
export interface AttemptRef {
  readonly txId: string;
  readonly owner: string;
  readonly action: Action;
  readonly tokenAddress: string;
  /** Set if it is a transfer; `action` is then sell, and `tokenAddress` empty for the chain's own coin. */
  readonly transfer?: TransferTerms;
  readonly expiry: Expiry;
  /** When it was signed. A node that has dropped its index of that time can't prove that it never landed. */
  readonly createdAt?: Date;
}

export interface StuckAttempt extends AttemptRef {
  readonly bytes: Uint8Array;
  readonly purpose: AttemptPurpose;
  readonly gasPriceUnits: bigint | null;
  /** As it was chosen for the swap; standard if left out. */
  readonly gas?: GasChoice;
}

export type BroadcastAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'landed'; readonly outcome: LandedOutcome }
  | { readonly kind: 'rejected'; readonly reason: string };

export type LandedOutcome =
  | { readonly kind: 'success'; readonly settlement: Settlement }
  | { readonly kind: 'reverted'; readonly settlement: Settlement; readonly failure: ChainFailure };

export type Outcome =
  | LandedOutcome
  /** It can never land: expired at finalized commitment, or its nonce went to another transaction. */
  | { readonly kind: 'dead'; readonly why: 'expired' | 'replaced' }
  | { readonly kind: 'pending' };

/**
 * What a landed transaction did to the wallet, from the transaction itself. The wallet's native balance changed
 * by exactly ±nativeUnits − feeUnits − tipUnits − rentUnits (+ for a sell), its token balance by ±tokenUnits.
 * On Solana its native balance is its SOL and its wrapped SOL together, for swaps turn one into the other.
 * A reverted transaction has zero native and tokens.
 *
 * Of a transfer, `nativeUnits` is what the recipient's native balance gained, and `tokenUnits` what left the wallet,
 * before any tax of the token; the wallet's native balance changed by −nativeUnits − feeUnits − rentUnits.
 */
export interface Settlement {
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
  readonly feeUnits: bigint;
  readonly tipUnits: bigint;
  /** Deposit for token accounts opened, a transfer's recipient's included (negative: recovered). Always 0 on BSC. */
  readonly rentUnits: bigint;
  /** Slot or block number. */
  readonly height: bigint;
  readonly landedAt: Date;
}

/** Why the chain refused a transaction, as a code with its context. */
export interface ChainFailure {
  readonly code: ErrorCode;
  readonly context: ErrorContext;
}

/** The landed transactions that name an address, as the chain tells them; the product's own trades are among them. */
export interface AddressHistory {
  /** The newest first, at most `limit`. */
  list(address: string, limit: number, signal?: AbortSignal): Promise<HistoryEntry[]>;
  /** One of them; undefined if the chain does not know the id, or the transaction does not name the address. */
  find(txId: string, address: string, signal?: AbortSignal): Promise<TransactionDetail | undefined>;
}

export interface HistoryEntry {
  readonly txId: string;
  /** Slot or block number. */
  readonly height: bigint;
  readonly landedAt: Date | null;
  /** `other`: seen, and not confirmed yet. */
  readonly status: 'success' | 'failed' | 'other';
  /** Base units that the address paid for it, 0 where someone else did; null if the node no longer tells. */
  readonly feeUnits: bigint | null;
  /** What else the transaction did to the address: the native side first, without fee and deposits. */
  readonly changes: readonly AssetChange[];
}

export interface AssetChange {
  /** Null is the chain's own coin. */
  readonly token: TokenInfo | null;
  /** Negative for what left the address. */
  readonly units: bigint;
}

export interface TransactionDetail extends HistoryEntry {
  /** Why it failed. */
  readonly failure: ChainFailure | null;
  readonly feePayer: string;
  /** Every account it named, with its native balance's change, fee included. */
  readonly accounts: readonly { readonly address: string; readonly changeUnits: bigint }[];
  readonly logs: readonly string[];
}
