import type { VolumeWalletRow } from '@kervan/database';

/** What a session's settled trades and transfers come to, in native base units. */
export interface Sums {
  readonly trades: number;
  readonly boughtUnits: bigint;
  readonly soldUnits: bigint;
  readonly fundedUnits: bigint;
  readonly recoveredUnits: bigint;
  /** Paid by the session's wallets. */
  readonly feeUnits: bigint;
  /** Paid by the master, to fund them. */
  readonly masterFeeUnits: bigint;
  readonly depositUnits: bigint;
  readonly profitUnits: bigint;
  /** What stays in the wallets if the account is right. */
  readonly leftUnits: bigint;
  /** In token base units. */
  readonly recoveredTokenUnits: bigint;
}

export function sumOf(wallets: readonly VolumeWalletRow[]): Sums {
  const total = (unitsOf: (wallet: VolumeWalletRow) => bigint) =>
    wallets.reduce((sum, wallet) => sum + unitsOf(wallet), 0n);
  const boughtUnits = total((wallet) => wallet.bought_units);
  const soldUnits = total((wallet) => wallet.sold_units);
  const fundedUnits = total((wallet) => wallet.funded_units);
  const recoveredUnits = total((wallet) => wallet.recovered_units);
  const feeUnits = total((wallet) => wallet.fee_units);
  const masterFeeUnits = total((wallet) => wallet.funding_fee_units);
  const depositUnits = total((wallet) => wallet.deposit_units);
  return {
    trades: wallets.reduce((sum, wallet) => sum + wallet.trades, 0),
    boughtUnits,
    soldUnits,
    fundedUnits,
    recoveredUnits,
    feeUnits,
    masterFeeUnits,
    depositUnits,
    profitUnits: soldUnits - boughtUnits - feeUnits - masterFeeUnits - depositUnits,
    leftUnits: fundedUnits - boughtUnits + soldUnits - feeUnits - depositUnits - recoveredUnits,
    recoveredTokenUnits: total((wallet) => wallet.recovered_token_units),
  };
}
