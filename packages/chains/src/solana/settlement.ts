import type { Action } from '@kervan/contract';
import type { Settlement, TransferTerms } from '../port.ts';
import { jitoTipAccounts, wrappedSolMint } from './addresses.ts';

/** A token account's state before or after a transaction, as getTransaction lists it. */
interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The part of getTransaction's answer (encoding json) that a settlement is read from. */
export interface LandedTransaction {
  readonly slot: bigint;
  readonly blockTime: bigint | null;
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly err: unknown;
    readonly fee: bigint;
    readonly preBalances: readonly bigint[];
    readonly postBalances: readonly bigint[];
    readonly preTokenBalances?: readonly TokenBalance[];
    readonly postTokenBalances?: readonly TokenBalance[];
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  };
}

interface Trade {
  readonly owner: string;
  readonly action: Action;
  readonly tokenAddress: string;
  readonly transfer?: TransferTerms;
}

/**
 * What a landed swap or transfer did to the wallet, in base units, from the balances recorded with the transaction.
 *
 * Rent is the deposits of the owner's token accounts that this transaction opened, less those of accounts it
 * closed; one opened and closed in it (the wrapped SOL of a swap) leaves no trace and none is counted. What is
 * left of the wallet's change after fee, tip and rent is the native side. Wrapped SOL counts as SOL: what an
 * account of it held before is no proceeds when the swap closes it.
 * A failed transaction costs its fee and moves nothing else.
 */
export function readSettlement(landed: LandedTransaction, trade: Trade): Settlement {
  const { meta } = landed;
  const keys = accountKeys(landed);
  const walletIndex = keys.indexOf(trade.owner);
  if (walletIndex !== 0) throw new Error('The wallet did not pay for this transaction');
  const base = {
    feeUnits: meta.fee,
    height: landed.slot,
    // A node may not know the time yet; its word would be this moment within a second or two.
    landedAt: landed.blockTime === null ? new Date() : new Date(Number(landed.blockTime) * 1000),
  };
  if (meta.err !== null) return { ...base, nativeUnits: 0n, tokenUnits: 0n, tipUnits: 0n, rentUnits: 0n };

  if (trade.transfer) return { ...base, ...transferred(landed, trade, trade.transfer) };
  const tipUnits = tips(keys, meta);
  const rentUnits = rent(meta, trade.owner);
  const solChange = lamportChange(meta, walletIndex) + tokenChange(meta, trade.owner, wrappedSolMint);
  const native = solChange + meta.fee + tipUnits + rentUnits;
  const tokens = tokenChange(meta, trade.owner, trade.tokenAddress);
  return trade.action === 'buy'
    ? { ...base, nativeUnits: -native, tokenUnits: tokens, tipUnits, rentUnits }
    : { ...base, nativeUnits: native, tokenUnits: -tokens, tipUnits, rentUnits };
}

/** What came to the recipient; what else the wallet gave or got back, but for the fee, went into token accounts. */
function transferred(
  { transaction, meta }: LandedTransaction,
  { owner, tokenAddress }: Trade,
  { recipient }: TransferTerms,
): Pick<Settlement, 'nativeUnits' | 'tokenUnits' | 'tipUnits' | 'rentUnits'> {
  const recipientIndex = transaction.message.accountKeys.indexOf(recipient);
  const nativeUnits = recipientIndex < 0 ? 0n : lamportChange(meta, recipientIndex);
  return {
    nativeUnits,
    tokenUnits: -tokenChange(meta, owner, tokenAddress),
    tipUnits: 0n,
    rentUnits: -(lamportChange(meta, 0) + meta.fee + nativeUnits),
  };
}

/** All keys in the order that the balances are listed: of the message, then from lookup tables. */
export function accountKeys({ transaction, meta }: LandedTransaction): readonly string[] {
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  return [...transaction.message.accountKeys, ...writable, ...readonly];
}

export function lamportChange(
  { preBalances, postBalances }: LandedTransaction['meta'],
  index: number,
): bigint {
  return (postBalances[index] ?? 0n) - (preBalances[index] ?? 0n);
}

function tips(keys: readonly string[], meta: LandedTransaction['meta']): bigint {
  return keys.reduce(
    (sum, key, index) => (jitoTipAccounts.has(key) ? sum + lamportChange(meta, index) : sum),
    0n,
  );
}

/** Lamports that went into token accounts of the owner that were opened, less those of accounts that were closed. */
export function rent(meta: LandedTransaction['meta'], owner: string): bigint {
  const opened = deposits(meta.postTokenBalances, meta.postBalances, meta.preBalances, owner);
  const closed = deposits(meta.preTokenBalances, meta.preBalances, meta.postBalances, owner);
  return opened - closed;
}

/** Deposits of the owner's token accounts that hold lamports here and none on the other side of the transaction. */
function deposits(
  balances: readonly TokenBalance[] | undefined,
  here: readonly bigint[],
  there: readonly bigint[],
  owner: string,
): bigint {
  return (balances ?? [])
    .filter((balance) => balance.owner === owner && (there[balance.accountIndex] ?? 0n) === 0n)
    .reduce((sum, balance) => sum + (here[balance.accountIndex] ?? 0n) - wrappedLamports(balance), 0n);
}

function wrappedLamports(balance: TokenBalance): bigint {
  return balance.mint === wrappedSolMint ? BigInt(balance.uiTokenAmount.amount) : 0n;
}

function tokenChange(meta: LandedTransaction['meta'], owner: string, mint: string): bigint {
  return tokenSum(meta.postTokenBalances, owner, mint) - tokenSum(meta.preTokenBalances, owner, mint);
}

function tokenSum(balances: readonly TokenBalance[] | undefined, owner: string, mint: string): bigint {
  return (balances ?? [])
    .filter((balance) => balance.owner === owner && balance.mint === mint)
    .reduce((sum, balance) => sum + BigInt(balance.uiTokenAmount.amount), 0n);
}
