import { KervanError, NATIVE } from '@kervan/contract';
import {
  address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Instruction,
} from '@solana/kit';
import type { PreparedTransaction, TransferRequest } from '../port.ts';
import { readAccounts } from './balances.ts';
import {
  baseFeeLamports,
  insufficient,
  tokenAccountDepositLamports,
  walletDepositLamports,
} from './funds.ts';
import { tokenInfo } from './mints.ts';
import type { PrepareSwapDeps } from './prepare-swap.ts';
import { readLatestBlockhash, simulate } from './simulate.ts';
import { closeAccount, nativeTransfer, openAccount, tokenTransfer } from './transfer-instructions.ts';

export type PrepareTransferDeps = Pick<
  PrepareSwapDeps,
  'rpc' | 'network' | 'readMint' | 'findTokenAccount' | 'tokenList'
>;

/** What a transfer does, and what the wallet then holds but for what it puts into the recipient's token account. */
interface Plan {
  readonly instructions: readonly Instruction[];
  readonly lamportsAfter: bigint;
  /** The account, and what it holds before. */
  readonly target?: { readonly account: Address; readonly lamports: bigint };
}

/** How often a simulation may show other effects than planned before the transfer is refused. */
const effectLooks = 3;

/**
 * Composes a transfer and simulates it on the node. It pays no priority fee, so that what it costs is known to the
 * lamport; one that the network passes over expires and is made again.
 *
 * A wallet holds nothing, or at least its deposit of 890,880 lamports: the runtime takes no fee out of the deposit.
 * So what is refused with BALANCE_INSUFFICIENT is also a wallet that has the deposit and less than a fee above it.
 */
export async function prepareTransfer(
  deps: PrepareTransferDeps,
  request: TransferRequest,
  signal?: AbortSignal,
): Promise<PreparedTransaction> {
  const owner = address(request.owner);
  const [{ blockhash, lastValidBlockHeight }] = await Promise.all([
    readLatestBlockhash(deps.rpc, signal),
    deps.network.recent(signal),
  ]);
  for (let look = 1; look <= effectLooks; look += 1) {
    const { instructions, lamportsAfter, target } = await planTransfer(deps, owner, request, signal);
    const message = setTransactionMessageLifetimeUsingBlockhash(
      { blockhash, lastValidBlockHeight },
      appendTransactionMessageInstructions(
        instructions,
        setTransactionMessageFeePayer(owner, createTransactionMessage({ version: 0 })),
      ),
    );
    const bytes = Uint8Array.from(
      getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message)),
    );
    const looksAt = target ? [owner, target.account] : [owner];
    const [wallet, account] = await simulate(deps.rpc, bytes, looksAt, signal);
    // How much an account of Token-2022 needs depends on the token.
    const depositLamports = target ? (account?.lamports ?? 0n) - target.lamports : 0n;
    if ((wallet?.lamports ?? 0n) === lamportsAfter - depositLamports) {
      return {
        purpose: 'transfer',
        owner,
        expiry: { kind: 'block-height', lastValidBlockHeight },
        gasPriceUnits: null,
        quote: null,
        feeUnits: baseFeeLamports,
        rentUnits: depositLamports,
        tipUnits: 0n,
        unsigned: bytes,
      };
    }
    // Perhaps another transaction of the wallet came between reading and simulating: both are done again.
  }
  throw new KervanError('SIMULATION_FAILED', { reason: `the balance of ${owner} keeps changing` });
}

async function planTransfer(
  deps: PrepareTransferDeps,
  owner: Address,
  { recipient: recipientText, asset }: TransferRequest,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const recipient = address(recipientText);
  if (asset.kind === 'token') return await planTokens(deps, owner, recipient, asset.tokenAddress, signal);
  const [wallet] = await readAccounts(deps.rpc, [owner], signal);
  const lamports = wallet?.lamports ?? 0n;
  if (asset.kind === 'native') {
    const lamportsAfter = lamports - asset.amountUnits - baseFeeLamports;
    const leaves = lamportsAfter === 0n ? 0n : walletDepositLamports;
    assertHolds(lamports, asset.amountUnits + baseFeeLamports + leaves);
    return { instructions: [nativeTransfer(owner, recipient, asset.amountUnits)], lamportsAfter };
  }
  assertHolds(lamports, walletDepositLamports + baseFeeLamports);
  return { instructions: [nativeTransfer(owner, recipient, lamports - baseFeeLamports)], lamportsAfter: 0n };
}

async function planTokens(
  deps: PrepareTransferDeps,
  owner: Address,
  recipient: Address,
  tokenAddress: string,
  signal: AbortSignal | undefined,
): Promise<Plan> {
  const mint = await deps.readMint(tokenAddress, signal);
  const [from, to] = await Promise.all([
    deps.findTokenAccount(owner, mint),
    deps.findTokenAccount(recipient, mint),
  ]);
  const [wallet, source, target] = await readAccounts(deps.rpc, [owner, from, to], signal);
  if (source === undefined) throw insufficient(0n, 1n, tokenInfo(mint, deps.tokenList(mint.address)));

  const lamports = wallet?.lamports ?? 0n;
  const lamportsAfter = lamports - baseFeeLamports + source.lamports;
  const close = closeAccount(owner, from, mint);
  if (source.tokenUnits === 0n) {
    assertHolds(lamports, baseFeeLamports + walletDepositLamports);
    return { instructions: [close], lamportsAfter };
  }
  const opens = target === undefined;
  assertHolds(lamports, baseFeeLamports + (opens ? tokenAccountDepositLamports : walletDepositLamports));
  return {
    instructions: [
      // Does nothing where the account is there, and opens it even where somebody has sent lamports to its address.
      openAccount(owner, recipient, to, mint),
      tokenTransfer(owner, from, to, mint, source.tokenUnits),
      close,
    ],
    lamportsAfter,
    target: { account: to, lamports: target?.lamports ?? 0n },
  };
}

function assertHolds(lamports: bigint, needed: bigint): void {
  if (lamports < needed) throw insufficient(lamports, needed, NATIVE.solana);
}
