import { NATIVE } from '@kervan/contract';
import { address, getAddressEncoder, type Address } from '@solana/kit';
import type { PreparedTransaction, SwapRequest, TokenInfo } from '../port.ts';
import { tokenProgram, wrappedSolMint } from './addresses.ts';
import { readAccounts } from './balances.ts';
import { assertFunds, type Holdings } from './funds.ts';
import { unreachable } from './http.ts';
import type { JupiterClient, JupiterSwap } from './jupiter.ts';
import { tokenInfo, type Mint, type MintReader } from './mints.ts';
import type { NetworkCheck } from './network-check.ts';
import { askQuote, toQuote } from './quote.ts';
import type { SolanaRpc } from './rpc.ts';
import { readLatestBlockhash, simulate } from './simulate.ts';
import { isAsAsked, notAsAsked, readEffects } from './swap-effects.ts';
import { checkInstructions } from './swap-instructions.ts';
import { encodeMessage, readSwapMessage, type SwapMessage } from './swap-transaction.ts';
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

/** How often a simulation may show other effects than asked for before the swap is refused. */
const effectLooks = 3;

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
    const accounts = await simulate(deps.rpc, message, addressesOf(purse), signal);
    const after = readEffects(accounts, Uint8Array.from(getAddressEncoder().encode(owner)));
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
  const addresses = addressesOf({ owner, tokenAccount, wrappedSolAccount });
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

function addressesOf(purse: Pick<Purse, 'owner' | 'tokenAccount' | 'wrappedSolAccount'>): readonly Address[] {
  return [purse.owner, purse.tokenAccount, purse.wrappedSolAccount];
}

function readMessage(swap: JupiterSwap, owner: Address): SwapMessage {
  try {
    return readSwapMessage(Buffer.from(swap.swapTransaction, 'base64'), owner);
  } catch (cause) {
    throw unreachable('Jupiter', cause);
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
