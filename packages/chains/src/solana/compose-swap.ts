import { getAddressEncoder, type Address, type Blockhash } from '@solana/kit';
import type { PreparedTransaction, SwapRequest } from '../port.ts';
import { assertFunds, baseFeeLamports, tokenAccountDepositLamports } from './funds.ts';
import { unreachable } from './http.ts';
import type { JupiterClient, JupiterQuote, JupiterSwap } from './jupiter.ts';
import { readPurse, type Purse, type PurseDeps } from './purse.ts';
import { toQuote } from './quote.ts';
import { simulate } from './simulate.ts';
import { isAsAsked, notAsAsked, readEffects } from './swap-effects.ts';
import { checkInstructions } from './swap-instructions.ts';
import { encodeMessage, readSwapMessage, type SwapMessage } from './swap-transaction.ts';

export interface ComposeSwapDeps extends PurseDeps {
  readonly jupiter: JupiterClient;
  readonly swapPrograms: ReadonlySet<string>;
  readonly maxPriorityFeeLamports: bigint;
}

export interface Lifetime {
  readonly blockhash: Blockhash;
  readonly lastValidBlockHeight: bigint;
}

/** What a leg of a bundle pays the block engine: 0 unless it is the one that tips. */
export interface Tip {
  readonly lamports: bigint;
  readonly accounts: ReadonlySet<string>;
}

/** Everything that a swap is composed from. `tip` is left out where it is no leg of a bundle. */
export interface SwapParts {
  readonly request: SwapRequest;
  readonly purse: Purse;
  readonly quote: JupiterQuote;
  readonly lifetime: Lifetime;
  readonly tip?: Tip;
}

/** How often a simulation may show other effects than asked for before the swap is refused. */
const effectLooks = 3;

const noTip: Tip = { lamports: 0n, accounts: new Set() };

/**
 * Lets Jupiter compose the swap, checks what it composed, and simulates it on the node. `unsigned` is the message's
 * bytes. Its blockhash is our own node's, put in the place of Jupiter's: an attempt is called dead by that node's word
 * about how long the blockhash is valid, so no third party's mistake about it can make a second attempt of a living one.
 */
export async function composeSwap(
  deps: ComposeSwapDeps,
  { request, purse, quote: answered, lifetime, tip }: SwapParts,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const { owner, tokenAccount, wrappedSolAccount } = purse;
  const pays = tip ? { tipLamports: tip.lamports } : 'priority fee';
  const swap = await deps.jupiter.swap(answered, owner, pays, signal);
  const composed = readMessage(swap, owner);
  const { lamports: tipLamports, accounts: tipAccounts } = tip ?? noTip;
  const priorityFeeLamports = checkInstructions(composed, { ...deps, ...purse, tipLamports, tipAccounts });
  const extraLamports = priorityFeeLamports + tipLamports;
  assertFunds(request, purse.holdings, purse.token, extraLamports);
  const message = encodeMessage(composed, lifetime.blockhash);
  const quote = toQuote(answered);

  for (let look = 1, { holdings } = purse; ; look += 1) {
    const accounts = await simulate(deps.rpc, message, [owner, tokenAccount, wrappedSolAccount], signal);
    const after = readEffects(accounts, Uint8Array.from(getAddressEncoder().encode(owner)));
    if (isAsAsked(request, quote.minimumOutUnits, holdings, after, extraLamports)) break;
    if (look === effectLooks) throw notAsAsked(owner);
    // Perhaps another transaction of the wallet came between reading and simulating: both are done again.
    ({ holdings } = await readPurse(deps, request, signal));
  }
  return {
    purpose: 'swap',
    owner,
    expiry: { kind: 'block-height', lastValidBlockHeight: lifetime.lastValidBlockHeight },
    gasPriceUnits: null,
    quote,
    feeUnits: baseFeeLamports + priorityFeeLamports,
    rentUnits: request.action === 'buy' && !purse.holdings.hasTokenAccount ? tokenAccountDepositLamports : 0n,
    tipUnits: tipLamports,
    unsigned: message,
  };
}

function readMessage(swap: JupiterSwap, owner: Address): SwapMessage {
  try {
    return readSwapMessage(Buffer.from(swap.swapTransaction, 'base64'), owner);
  } catch (cause) {
    throw unreachable('Jupiter', cause);
  }
}
