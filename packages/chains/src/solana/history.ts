import { address as toAddress, isSignature, type Signature } from '@solana/kit';
import type { AddressHistory, AssetChange, HistoryEntry, TokenInfo, TransactionDetail } from '../port.ts';
import { explainFailure } from './failures.ts';
import { tokenInfo } from './mints.ts';
import type { SolanaRpc } from './rpc.ts';
import { accountKeys, lamportChange, rent, type LandedTransaction } from './settlement.ts';

interface HistoryDeps {
  readonly rpc: SolanaRpc;
  /** Names and symbols of known mints. */
  readonly tokenList: (tokenAddress: string) => TokenInfo | undefined;
}

/** A token account's state as getTransaction lists it. */
interface TokenBalance {
  readonly mint: string;
  readonly owner?: string;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** getTransaction's answer, with what a history shows beyond a settlement. */
export interface RecordedTransaction extends LandedTransaction {
  readonly meta: LandedTransaction['meta'] & {
    readonly preTokenBalances?: readonly TokenBalance[];
    readonly postTokenBalances?: readonly TokenBalance[];
    readonly logMessages?: readonly string[] | null;
  };
}

type TokenList = HistoryDeps['tokenList'];

/**
 * Histories from a node's own index (getSignaturesForAddress) and the transactions it lists. A node lists a wallet's
 * transaction where the wallet itself is named: one that only names its token account is not there.
 */
export function createHistory({ rpc, tokenList }: HistoryDeps): AddressHistory {
  async function recorded(
    signature: Signature,
    signal: AbortSignal | undefined,
  ): Promise<RecordedTransaction | undefined> {
    const found = await rpc
      .getTransaction(signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send(signal && { abortSignal: signal });
    return found?.meta ? { ...found, meta: found.meta } : undefined;
  }

  return {
    async list(address, limit, signal) {
      const listed = await rpc
        .getSignaturesForAddress(toAddress(address), { limit, commitment: 'confirmed' })
        .send(signal && { abortSignal: signal });
      return await Promise.all(
        listed.map(async ({ signature, slot, blockTime, err, confirmationStatus }): Promise<HistoryEntry> => {
          const transaction = await recorded(signature, signal);
          return {
            txId: signature,
            height: slot,
            landedAt: toDate(blockTime),
            status: err === null ? successIf(confirmationStatus) : 'failed',
            feeUnits: transaction ? paidFee(transaction, address) : null,
            changes: transaction ? readChanges(transaction, address, tokenList) : [],
          };
        }),
      );
    },

    async find(txId, address, signal) {
      if (!isSignature(txId)) return undefined;
      const transaction = await recorded(txId, signal);
      if (!transaction || !accountKeys(transaction).includes(address)) return undefined;
      return readDetail(txId, transaction, address, tokenList);
    },
  };
}

function successIf(confirmationStatus: string | null): HistoryEntry['status'] {
  return confirmationStatus === 'confirmed' || confirmationStatus === 'finalized' ? 'success' : 'other';
}

function toDate(blockTime: bigint | null): Date | null {
  return blockTime === null ? null : new Date(Number(blockTime) * 1000);
}

/** The first account of a transaction pays for it. */
function paidFee(transaction: RecordedTransaction, address: string): bigint {
  return accountKeys(transaction)[0] === address ? transaction.meta.fee : 0n;
}

/** What a transaction did to an address besides its fee. A failed one did nothing else. */
export function readChanges(
  transaction: RecordedTransaction,
  address: string,
  tokenList: TokenList,
): AssetChange[] {
  const { meta } = transaction;
  if (meta.err !== null) return [];
  const native = nativeChange(transaction, address);
  const tokens = tokenChanges(transaction, address, tokenList);
  return [...(native === 0n ? [] : [{ token: null, units: native }]), ...tokens];
}

function nativeChange(transaction: RecordedTransaction, address: string): bigint {
  const { meta } = transaction;
  const index = accountKeys(transaction).indexOf(address);
  if (index < 0) return 0n;
  // Whoever pays the fee pays the deposits of the token accounts that are opened, as a rule.
  const costs = index === 0 ? meta.fee + rent(meta, address) : 0n;
  return lamportChange(meta, index) + costs;
}

function tokenChanges({ meta }: RecordedTransaction, owner: string, tokenList: TokenList): AssetChange[] {
  const changes = new Map<string, { decimals: number; units: bigint }>();
  const add = (balances: readonly TokenBalance[] | undefined, sign: 1n | -1n): void => {
    for (const { mint, owner: holder, uiTokenAmount } of balances ?? []) {
      if (holder !== owner) continue;
      const { decimals, amount } = uiTokenAmount;
      const units = (changes.get(mint)?.units ?? 0n) + sign * BigInt(amount);
      changes.set(mint, { decimals, units });
    }
  };
  add(meta.preTokenBalances, -1n);
  add(meta.postTokenBalances, 1n);
  return [...changes]
    .filter(([, { units }]) => units !== 0n)
    .map(([mint, { decimals, units }]) => ({
      token: tokenInfo({ address: mint, decimals }, tokenList(mint)),
      units,
    }));
}

function readDetail(
  txId: string,
  transaction: RecordedTransaction,
  address: string,
  tokenList: TokenList,
): TransactionDetail {
  const { meta, slot, blockTime } = transaction;
  const keys = accountKeys(transaction);
  const logs = meta.logMessages ?? [];
  return {
    txId,
    height: slot,
    landedAt: toDate(blockTime),
    status: meta.err === null ? 'success' : 'failed',
    feeUnits: paidFee(transaction, address),
    changes: readChanges(transaction, address, tokenList),
    failure: meta.err === null ? null : explainFailure(meta.err, logs),
    feePayer: keys[0] ?? address,
    accounts: keys.map((key, index) => ({ address: key, changeUnits: lamportChange(meta, index) })),
    logs,
  };
}
