import { REQUEST_TIMEOUT_MS, type Network } from '@kervan/contract';
import { address } from '@solana/kit';
import { networkName } from '../networks.ts';
import type { Bundles, ChainPort, PreparedTransaction, TokenInfo } from '../port.ts';
import { jupiterProgram } from './addresses.ts';
import { readBalances, readTokenBalances } from './balances.ts';
import { createBlockEngine } from './block-engine.ts';
import { broadcast } from './broadcast.ts';
import { buyReserveLamports } from './funds.ts';
import { createHistory } from './history.ts';
import { readHoldings } from './holdings.ts';
import { createHttpClient, type HttpClient } from './http.ts';
import { createJupiterClient, noSwapService, type JupiterClient, type PriorityFee } from './jupiter.ts';
import { createKey, exportKey, importKey, parseAddress } from './keys.ts';
import { readMintAccount } from './mint-account.ts';
import { cleanName, readMetadataAccount } from './mint-names.ts';
import { mintWarnings } from './mint-warnings.ts';
import { createMintReader, readMintData, requireMintAddress, tokenInfo, type Mint } from './mints.ts';
import { createNetworkCheck } from './network-check.ts';
import { readOutcome } from './outcome.ts';
import { prepareBundle } from './prepare-bundle.ts';
import { prepareSwap, type PrepareSwapDeps } from './prepare-swap.ts';
import { prepareTransfer } from './prepare-transfer.ts';
import { askQuote, toQuote } from './quote.ts';
import { createRpc } from './rpc.ts';
import { createSignatureWatcher } from './signature-watcher.ts';
import { createSlotFollower } from './slot-feed.ts';
import { signSwapMessage } from './swap-transaction.ts';
import { createTokenAccountFinder } from './token-accounts.ts';

export interface SolanaAdapterOptions {
  readonly network: Network;
  /** May hold a provider's key; never shown in an error. */
  readonly rpcUrl: string;
  /** With it an attempt's outcome is looked for at every slot, without it every `pollMs`. */
  readonly wsUrl?: string;
  /** Serves Jupiter's Swap API v1 under /swap/v1. Without it swaps are refused with ROUTE_UNAVAILABLE. */
  readonly jupiterUrl?: string;
  readonly jupiterApiKey?: string;
  /** A Jito block engine. Without it nothing is sent as a bundle. */
  readonly blockEngineUrl?: string;
  /** What a bundle pays it; by default 0.00001 SOL, at least 0.000001. */
  readonly bundleTipLamports?: bigint;
  /** Programs that its transactions may swap with; by default Jupiter's own. */
  readonly swapPrograms?: readonly string[];
  /** What the node must answer; null accepts any (the sandbox says its own). */
  readonly genesisHash: string | null;
  /** Names and symbols of known mints. */
  readonly tokenList?: (tokenAddress: string) => TokenInfo | undefined;
  /** Cap and level of the priority fee that Jupiter works out; by default `high`, at most 0.001 SOL. */
  readonly priorityFee?: PriorityFee;
  readonly fetch?: typeof fetch;
  readonly requestTimeoutMs?: number;
  /** Requests in flight to one service; by default 32. */
  readonly maxInFlight?: number;
  readonly pollMs?: number;
}

const defaultPriorityFee: PriorityFee = { maxLamports: 1_000_000, level: 'high' };
const defaultBundleTipLamports = 10_000n;
/** How long a right answer about the network lets further swaps be signed without asking again. */
const networkCheckMaxAgeMs = 5_000;
const attempts = 5;
const backoffMs = 100;

/** The Solana side of the port, over a node's JSON-RPC and Jupiter's Swap API. */
export function createSolanaAdapter(options: SolanaAdapterOptions): ChainPort {
  const service = networkName({ chain: 'solana', network: options.network });
  const rpc = createRpc({
    url: parseUrl('rpcUrl', options.rpcUrl),
    service,
    http: httpClient(options, service),
  });
  const priorityFee = options.priorityFee ?? defaultPriorityFee;
  const jupiter = swapService(options, priorityFee, service);
  const network = createNetworkCheck({
    rpc,
    genesisHash: options.genesisHash,
    maxAgeMs: networkCheckMaxAgeMs,
    clock: () => performance.now(),
  });
  const readMint = createMintReader(rpc);
  const findTokenAccount = createTokenAccountFinder();
  const tokenList = options.tokenList ?? (() => undefined);
  const followSlots =
    options.wsUrl === undefined ? undefined : createSlotFollower(parseUrl('wsUrl', options.wsUrl));
  const watcher = createSignatureWatcher({ rpc, followSlots, pollMs: options.pollMs ?? 400 });
  const prepareDeps: PrepareSwapDeps = {
    rpc,
    jupiter,
    network,
    readMint,
    findTokenAccount,
    tokenList,
    swapPrograms: new Set(options.swapPrograms ?? [jupiterProgram]),
    maxPriorityFeeLamports: BigInt(priorityFee.maxLamports),
  };

  /** What the mint says of itself, or Metaplex's account of it. */
  async function ownName(
    { address: mint, decimals }: Mint,
    signal?: AbortSignal,
  ): Promise<TokenInfo | undefined> {
    const { program, data } = await readMintData(rpc, mint, signal);
    const named =
      cleanName(readMintAccount(program, data).metadata) ??
      cleanName(await readMetadataAccount(rpc, mint, signal));
    return named ? { ...named, address: mint, decimals } : undefined;
  }

  return {
    chain: 'solana',
    network: options.network,

    verifyNetwork: (signal) => network.now(signal),
    provenNetwork: () => network.proven(),

    createKey: async () => createKey(),
    importKey: async (text) => importKey(text),
    exportKey: async (secret) => exportKey(secret),
    parseAddress,

    balances: (addresses, signal) => readBalances(rpc, addresses.map(address), signal),

    async tokenBalances(addresses, tokenAddress, signal) {
      const mint = await readMint(tokenAddress, signal);
      return readTokenBalances(rpc, findTokenAccount, addresses.map(address), mint, signal);
    },

    async describeToken(tokenAddress, signal) {
      const mint = await readMint(tokenAddress, signal);
      const listed = tokenList(mint.address) ?? (await ownName(mint, signal));
      return tokenInfo(mint, listed);
    },

    async screenToken(tokenAddress, signal) {
      const { program, data } = await readMintData(rpc, requireMintAddress(tokenAddress), signal);
      return mintWarnings(readMintAccount(program, data));
    },

    quote: async (request, signal) => toQuote(await askQuote(jupiter, request, signal)),

    prepareSwap: (request, signal) => prepareSwap(prepareDeps, request, signal),
    prepareTransfer: (request, signal) => prepareTransfer(prepareDeps, request, signal),

    bundles: bundlesOf(options, prepareDeps),
    buyReserve: async () => buyReserveLamports(prepareDeps.maxPriorityFeeLamports + tipOf(options)),

    // A Solana transaction has no place that another could take: it lands or it expires.
    prepareReplacement: async () => undefined,
    gasPrices: undefined,

    sign: async (prepared, secret) => signSwapMessage(messageOf(prepared), prepared.owner, secret),

    broadcast: (signed, signal) => broadcast(rpc, signed.bytes, signal),
    outcome: (attempt, signal) => readOutcome(rpc, attempt, signal),
    watch: (attempt, signal) => watcher.watch(attempt, signal),
    history: createHistory({ rpc, tokenList }),
    holdings: (owner, signal) => readHoldings(rpc, tokenList, address(owner), signal),
    close: () => watcher.close(),
  };
}

// URL's own error carries the text, and with it the provider's key.
function parseUrl(name: string, text: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`${name} is not a URL`);
  return new URL(text);
}

function swapService(
  options: SolanaAdapterOptions,
  priorityFee: PriorityFee,
  service: string,
): JupiterClient {
  if (options.jupiterUrl === undefined) return noSwapService(service);
  return createJupiterClient({
    url: parseUrl('jupiterUrl', options.jupiterUrl),
    apiKey: options.jupiterApiKey,
    priorityFee,
    http: httpClient(options, 'Jupiter'),
  });
}

function bundlesOf(options: SolanaAdapterOptions, prepareDeps: PrepareSwapDeps): Bundles | undefined {
  if (options.blockEngineUrl === undefined) return undefined;
  const blockEngine = createBlockEngine({
    url: parseUrl('blockEngineUrl', options.blockEngineUrl),
    http: httpClient(options, 'Jito'),
    clock: () => performance.now(),
  });
  const deps = { ...prepareDeps, blockEngine, tipLamports: tipOf(options) };
  return {
    prepare: (requests, signal) => prepareBundle(deps, requests, signal),
    broadcast: (legs, signal) => blockEngine.sendBundle(legs, signal),
  };
}

const tipOf = (options: SolanaAdapterOptions): bigint =>
  options.bundleTipLamports ?? defaultBundleTipLamports;

function httpClient(options: SolanaAdapterOptions, service: string): HttpClient {
  return createHttpClient({
    service,
    fetch: options.fetch ?? fetch,
    timeoutMs: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    attempts,
    backoffMs,
    maxInFlight: options.maxInFlight ?? 32,
  });
}

function messageOf(prepared: PreparedTransaction): Uint8Array {
  if (prepared.unsigned instanceof Uint8Array) return prepared.unsigned;
  throw new TypeError('The transaction was not prepared by this adapter');
}
