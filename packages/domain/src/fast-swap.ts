/**
 * The part of a balance that a fast swap trades, rounded down: `percent` (1 to 100) of the whole, and no more than what
 * may be spent of it. `keepUnits` is what a buy leaves for fees and deposits, 0 for a sell, of which 100 % is
 * everything to the last unit. 0 when nothing can be traded.
 */
export function percentOfBalance(balanceUnits: bigint, keepUnits: bigint, percent: number): bigint {
  const part = (balanceUnits * BigInt(percent)) / 100n;
  const most = balanceUnits - keepUnits;
  const amount = part < most ? part : most;
  return amount > 0n ? amount : 0n;
}
