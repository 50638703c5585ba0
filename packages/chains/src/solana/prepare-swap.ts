import { setTimeout as delay } from 'node:timers/promises';
import { KervanError, NATIVE } from '@kervan/contract';
import { address, getAddressEncoder, type Address, type Blockhash } from '@solana/kit';
import type { PreparedTransaction, SwapRequest, TokenInfo } from '../port.ts';
import { tokenProgram, wrappedSolMint } from './addresses.ts';
import { readAccounts } from './balances.ts';
import { explainFailure } from './failures.ts';
import { assertFunds, baseFeeLamports, tokenAccountDepositLamports, type Holdings } from './funds.ts';
import { unreachable } from './http.ts';
import type { JupiterClient, JupiterSwap } from './jupiter.ts';
import { tokenInfo, type Mint, type MintReader } from './mints.ts';
import type { NetworkCheck } from './network-check.ts';
import { askQuote, toQuote } from './quote.ts';
import type { SolanaRpc } from './rpc.ts';
import { isAsAsked, notAsAsked, readEffects, type Effects } from './swap-effects.ts';
import { checkInstructions } from './swap-instructions.ts';
import { encodeMessage, readSwapMessage, unsignedWire, type SwapMessage } from './swap-transaction.ts';
import type { TokenAccountFinder } from './token-accounts.ts';

export interface PrepareSwapDeps {
  readonly rpc: SolanaRpc;
  readonly jupiter: JupiterClient;
  readonly network: NetworkCheck;
  readonly readMint: MintReader;
  readonly findTokenAccount: TokenAccountFinder;
  readonly tokenList: (tokenAddress: string) => TokenInfo | undefined;
  readonly swapPrograms: ReadonlySet<string>;
  readonly maxPriorityFeeLamports: bigint;
}

const wrappedSol: Mint = { address: wrappedSolMint, decimals: NATIVE.solana.decimals, program: tokenProgram };

/**
 * Quotes and composes a swap, and simulates it on the node. `unsigned` is the message's bytes. Its blockhash is
 * our own node's, put in the place of Jupiter's: an attempt is called dead by that node's word about how long
 * the blockhash is valid, so no third party's mistake about it can make a second attempt of a living one.
 */
export async function prepareSwap(
  deps: PrepareSwapDeps,
  request: SwapRequest,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const owner = address(request.owner);
  // All at once; but a wallet that can't pay is told so, whatever the venue says of the amount.
  const [network, read, quoted, latest] = await Promise.allSettled([
    deps.network.recent(signal),
    readPurse(deps, request, owner, signal),
    askQuote(deps.jupiter, request, signal),
    readLatestBlockhash(deps.rpc, signal),
  ]);
  valueOf(network);
  const purse = valueOf(read);
  assertFunds(request, purse.holdings, purse.token, 0n);
  const answered = valueOf(quoted);
  const { blockhash, lastValidBlockHeight } = valueOf(latest);

  const swap = await deps.jupiter.swap(answered, owner, signal);
  const composed = readMessage(swap, owner);
  const priorityFeeLamports = checkInstructions(composed, { ...deps, ...purse });
  assertFunds(request, purse.holdings, purse.token, priorityFeeLamports);
  const message = encodeMessage(composed, blockhash);
  const quote = toQuote(answered);

  for (let look = 1, { holdings } = purse; ; look += 1) {
    const after = await simulate(deps.rpc, message, purse, signal);
    if (isAsAsked(request, quote.minimumOutUnits, holdings, after, priorityFeeLamports)) break;
    if (look === effectLooks) throw notAsAsked(owner);
    // Perhaps another transaction of the wallet came between reading and simulating: both are done again.
    ({ holdings } = await readPurse(deps, request, owner, signal));
  }
  return {
    purpose: 'swap',
    owner,
    expiry: { kind: 'block-height', lastValidBlockHeight },
    gasPriceUnits: null,
    quote,
    feeUnits: baseFeeLamports + priorityFeeLamports,
    rentUnits: request.action === 'buy' && !purse.holdings.hasTokenAccount ? tokenAccountDepositLamports : 0n,
    unsigned: message,
  };
}

interface Purse {
  readonly owner: Address;
  readonly holdings: Holdings;
  readonly token: TokenInfo;
  readonly tokenAccount: Address;
  readonly wrappedSolAccount: Address;
}

async function readPurse(
  deps: PrepareSwapDeps,
  request: SwapRequest,
  owner: Address,
  signal: AbortSignal | undefined,
): Promise<Purse> {
  const mint = await deps.readMint(request.tokenAddress, signal);
  const [tokenAccount, wrappedSolAccount] = await Promise.all([
    deps.findTokenAccount(owner, mint),
    deps.findTokenAccount(owner, wrappedSol),
  ]);
  const addresses = [owner, tokenAccount, wrappedSolAccount];
  const [wallet, tokens, wrapped] = await readAccounts(deps.rpc, addresses, signal);
  return {
    owner,
    tokenAccount,
    wrappedSolAccount,
    token: tokenInfo(mint, deps.tokenList(mint.address)),
    holdings: {
      lamports: wallet?.lamports ?? 0n,
      wrappedSolLamports: wrapped?.lamports ?? 0n,
      tokenUnits: tokens?.tokenUnits ?? 0n,
      hasTokenAccount: tokens !== undefined,
    },
  };
}

async function readLatestBlockhash(
  rpc: SolanaRpc,
  signal: AbortSignal | undefined,
): Promise<{ blockhash: Blockhash; lastValidBlockHeight: bigint }> {
  const { value } = await rpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send(signal && { abortSignal: signal });
  return value;
}

function readMessage(swap: JupiterSwap, owner: Address): SwapMessage {
  try {
    return readSwapMessage(Buffer.from(swap.swapTransaction, 'base64'), owner);
  } catch (cause) {
    throw unreachable('Jupiter', cause);
  }
}

const effectLooks = 3;
const blockhashTries = 3;
const blockhashWaitMs = 250;

/**
 * Simulates without a signature and answers what the wallet's accounts would be. A provider's nodes are not all at one
 * height: one that does not know the blockhash of another yet is asked again for a moment.
 */
async function simulate(
  rpc: SolanaRpc,
  message: Uint8Array,
  { owner, tokenAccount, wrappedSolAccount }: Purse,
  signal: AbortSignal | undefined,
): Promise<Effects> {
  const wire = unsignedWire(message);
  for (let attempt = 1; ; attempt += 1) {
    const { value } = await rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        sigVerify: false,
        commitment: 'processed',
        accounts: { encoding: 'base64', addresses: [owner, tokenAccount, wrappedSolAccount] },
      })
      .send(signal && { abortSignal: signal });
    if (value.err === null) {
      return readEffects(value.accounts, Uint8Array.from(getAddressEncoder().encode(owner)));
    }
    if (value.err !== 'BlockhashNotFound' || attempt === blockhashTries) {
      throw refusal(value.err, value.logs ?? []);
    }
    await delay(blockhashWaitMs, undefined, { signal });
  }
}

// Nothing was sent, so nothing was reverted.
function refusal(error: unknown, logs: readonly string[]): KervanError {
  const { code, context } = explainFailure(error, logs);
  return new KervanError(code === 'TRANSACTION_REVERTED' ? 'SIMULATION_FAILED' : code, context);
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
