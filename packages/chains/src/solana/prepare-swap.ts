import { setTimeout as delay } from 'node:timers/promises';
import { KervanError } from '@kervan/contract';
import { address, type Address, type Blockhash } from '@solana/kit';
import type { PreparedTransaction, SwapRequest, TokenInfo } from '../port.ts';
import { readAccounts } from './balances.ts';
import { explainFailure } from './failures.ts';
import { assertFunds, type Holdings } from './funds.ts';
import { unreachable } from './http.ts';
import type { JupiterClient, JupiterSwap } from './jupiter.ts';
import { tokenInfo, type MintReader } from './mints.ts';
import { askQuote, toQuote } from './quote.ts';
import type { SolanaRpc } from './rpc.ts';
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
  // Both at once; but a wallet that can't pay is told so, whatever the venue says of the amount.
  const [purse, quoted, latest] = await Promise.allSettled([
    readPurse(deps, request, owner, signal),
    askQuote(deps.jupiter, request, signal),
    readLatestBlockhash(deps.rpc, signal),
  ]);
  const { holdings, token } = valueOf(purse);
  assertFunds(request, holdings, token, 0n);
  const quote = valueOf(quoted);
  const { blockhash, lastValidBlockHeight } = valueOf(latest);

  const swap = await deps.jupiter.swap(quote, owner, signal);
  assertFunds(request, holdings, token, BigInt(swap.prioritizationFeeLamports));
  const message = readMessage(swap, owner, blockhash);
  await assertSucceeds(deps.rpc, message, signal);
  return {
    purpose: 'swap',
    owner,
    expiry: { kind: 'block-height', lastValidBlockHeight },
    gasPriceUnits: null,
    quote: toQuote(quote),
    unsigned: message,
  };
}

async function readPurse(
  deps: PrepareSwapDeps,
  request: SwapRequest,
  owner: Address,
  signal: AbortSignal | undefined,
): Promise<{ holdings: Holdings; token: TokenInfo }> {
  const mint = await deps.readMint(request.tokenAddress, signal);
  const tokenAccount = await deps.findTokenAccount(owner, mint);
  const [wallet, tokens] = await readAccounts(deps.rpc, [owner, tokenAccount], signal);
  return {
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

const blockhashTries = 3;
const blockhashWaitMs = 250;

/**
 * Simulates without a signature. A provider's nodes are not all at one height: one that does not know the
 * blockhash of another yet is asked again for a moment.
 */
async function assertSucceeds(
  rpc: SolanaRpc,
  message: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wire = unsignedWire(message);
  for (let attempt = 1; ; attempt += 1) {
    const { value } = await rpc
      .simulateTransaction(wire, { encoding: 'base64', sigVerify: false, commitment: 'processed' })
      .send(signal && { abortSignal: signal });
    if (value.err === null) return;
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
