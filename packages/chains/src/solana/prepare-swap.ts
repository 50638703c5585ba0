import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import { address, getAddressEncoder, type Address, type Blockhash } from '@solana/kit';
import type { PreparedTransaction, SwapRequest, TokenInfo } from '../port.ts';
import { readAccounts } from './balances.ts';
import { explainFailure } from './failures.ts';
import { assertFunds, type Holdings } from './funds.ts';
import { unreachable } from './http.ts';
import type { JupiterClient, JupiterSwap } from './jupiter.ts';
import { tokenInfo, type MintReader } from './mints.ts';
import { askQuote, toQuote } from './quote.ts';
import type { SolanaRpc } from './rpc.ts';
import { isAsAsked, notAsAsked, readEffects, type Effects } from './swap-effects.ts';
import { readSwapMessage, unsignedWire } from './swap-transaction.ts';
import type { TokenAccountFinder } from './token-accounts.ts';

export interface PrepareSwapDeps {
  readonly rpc: SolanaRpc;
  readonly jupiter: JupiterClient;
  readonly readMint: MintReader;
  readonly findTokenAccount: TokenAccountFinder;
  readonly tokenList: (tokenAddress: string) => TokenInfo | undefined;
}

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
  const [read, quoted, latest] = await Promise.allSettled([
    readPurse(deps, request, owner, signal),
    askQuote(deps.jupiter, request, signal),
    readLatestBlockhash(deps.rpc, signal),
  ]);
  const purse = valueOf(read);
  assertFunds(request, purse.holdings, purse.token, 0n);
  const answered = valueOf(quoted);
  const { blockhash, lastValidBlockHeight } = valueOf(latest);

  const swap = await deps.jupiter.swap(answered, owner, signal);
  const priorityFeeLamports = BigInt(swap.prioritizationFeeLamports);
  assertFunds(request, purse.holdings, purse.token, priorityFeeLamports);
  const message = readMessage(swap, owner, blockhash);
  const quote = toQuote(answered);

  for (let look = 1, { holdings } = purse; ; look += 1) {
    const after = await simulate(deps.rpc, message, owner, purse.tokenAccount, signal);
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
    unsigned: message,
  };
}

interface Purse {
  readonly holdings: Holdings;
  readonly token: TokenInfo;
  readonly tokenAccount: Address;
}

async function readPurse(
  deps: PrepareSwapDeps,
  request: SwapRequest,
  owner: Address,
  signal: AbortSignal | undefined,
): Promise<Purse> {
  const mint = await deps.readMint(request.tokenAddress, signal);
  const tokenAccount = await deps.findTokenAccount(owner, mint);
  const [wallet, tokens] = await readAccounts(deps.rpc, [owner, tokenAccount], signal);
  return {
    tokenAccount,
    token: tokenInfo(mint, deps.tokenList(mint.address)),
    holdings: {
      lamports: wallet?.lamports ?? 0n,
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

function readMessage(swap: JupiterSwap, owner: Address, blockhash: Blockhash): Uint8Array {
  try {
    return readSwapMessage(Buffer.from(swap.swapTransaction, 'base64'), owner, blockhash);
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
  owner: Address,
  tokenAccount: Address,
  signal: AbortSignal | undefined,
): Promise<Effects> {
  const wire = unsignedWire(message);
  for (let attempt = 1; ; attempt += 1) {
    const { value } = await rpc
      .simulateTransaction(wire, {
        encoding: 'base64',
        sigVerify: false,
        commitment: 'processed',
        accounts: { encoding: 'base64', addresses: [owner, tokenAccount] },
      })
      .send(signal && { abortSignal: signal });
    if (value.err === null) {
      const [wallet, token] = value.accounts;
      return readEffects(wallet, token, Uint8Array.from(getAddressEncoder().encode(owner)));
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
