import { errorMessage, NATIVE, type WalletTransaction, type WalletTransactionDetail } from '@kervan/contract';
import type { AssetChange, HistoryEntry, TransactionDetail } from '@kervan/chains';
import { formatUnits } from '@kervan/domain';

const { symbol: nativeSymbol, decimals: nativeDecimals } = NATIVE.solana;

/** A transaction as a wallet's history shows it. */
export function toTransaction(entry: HistoryEntry): WalletTransaction {
  const changes = entry.changes.map(toChange);
  const [first] = changes;
  return {
    signature: entry.txId,
    blockTime: entry.landedAt && Math.floor(entry.landedAt.getTime() / 1000),
    slot: Number(entry.height),
    fee: entry.feeUnits === null ? null : sol(entry.feeUnits),
    status: entry.status,
    type: typeOf(entry.changes),
    ...(first && { amount: first.amount }),
    symbol: first?.symbol ?? nativeSymbol,
    changes,
  };
}

export function toTransactionDetail(detail: TransactionDetail): WalletTransactionDetail {
  const { failure, feePayer, accounts, logs } = detail;
  return {
    ...toTransaction(detail),
    error: failure && { ...failure, message: errorMessage(failure.code, failure.context) },
    feePayer,
    accounts: accounts.map(({ address, changeUnits }) => ({ address, change: sol(changeUnits) })),
    logs: [...logs],
  };
}

/** Something out and something in is a swap. */
function typeOf(changes: readonly AssetChange[]): WalletTransaction['type'] {
  const hasSent = changes.some(({ units }) => units < 0n);
  const hasReceived = changes.some(({ units }) => units > 0n);
  if (hasSent && hasReceived) return 'swap';
  if (hasSent) return 'send';
  return hasReceived ? 'receive' : 'other';
}

function toChange({ token, units }: AssetChange): WalletTransaction['changes'][number] {
  if (token === null) return { tokenAddress: null, symbol: nativeSymbol, amount: sol(units) };
  return {
    tokenAddress: token.address,
    symbol: token.symbol,
    amount: formatUnits(units, token.decimals),
  };
}

function sol(units: bigint): string {
  return formatUnits(units, nativeDecimals);
}
