import type { Chain } from '@kervan/contract';
import type { AttemptRow, Database, TradeRow } from '@kervan/database';
import { isTradeItself } from '@kervan/domain';
import type { ChainRecord } from './chain-record.ts';

export interface Granted {
  readonly chain: Chain;
  readonly address: string;
  readonly nativeUnits: bigint;
  /** Token address → base units. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

export interface AuditReport {
  readonly trades: number;
  readonly success: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly landedTransactions: number;
  /** Empty when the promise was kept. */
  readonly faults: string[];
}

/**
 * Holds what the product's journal says against what the chains say: every landed transaction belongs to exactly
 * one trade, no trade has landed twice, every trade has ended as the chain ended it, nonces have no gap,
 * and every wallet's balance is what it was granted plus what its trades report, to the base unit.
 */
export async function audit(
  db: Database,
  records: Record<Chain, ChainRecord>,
  wallets: readonly Granted[],
): Promise<AuditReport> {
  const trades = await db.selectFrom('trades').selectAll().orderBy('id').execute();
  const attempts = await db.selectFrom('trade_attempts').selectAll().orderBy('id').execute();
  const tradeById = new Map(trades.map((trade) => [trade.id, trade]));
  const attemptByTx = new Map(attempts.map((attempt) => [attempt.tx_id, attempt]));
  const faults: string[] = [];
  let landedTransactions = 0;
  const landedTrades = new Map<string, string[]>();

  for (const chain of ['solana', 'bsc'] as const) {
    const owners = wallets.filter((wallet) => wallet.chain === chain).map((wallet) => wallet.address);
    const landed = await records[chain].landedBy(owners);
    landedTransactions += landed.length;
    const onChain = new Map(landed.map((each) => [each.txId, each]));

    for (const transaction of landed) {
      const attempt = attemptByTx.get(transaction.txId);
      const trade = attempt && tradeById.get(attempt.trade_id);
      if (!attempt || !trade) {
        faults.push(`${chain}: ${transaction.txId} of ${transaction.owner} belongs to no trade`);
        continue;
      }
      if (attempt.state !== 'landed')
        faults.push(`${chain}: ${transaction.txId} landed, its attempt is ${attempt.state}`);
      if (!isTradeItself(attempt.purpose)) continue;
      landedTrades.set(trade.id, [...(landedTrades.get(trade.id) ?? []), transaction.txId]);
      const expected = transaction.isSuccess ? 'success' : 'failed';
      if (trade.state !== expected)
        faults.push(`${chain}: trade ${trade.id} is ${trade.state}, the chain says ${expected}`);
    }

    for (const attempt of attempts) {
      const trade = tradeById.get(attempt.trade_id);
      if (trade?.chain !== chain) continue;
      if (attempt.state === 'live') faults.push(`${chain}: attempt ${attempt.tx_id} is still live`);
      if (attempt.state === 'landed' && !onChain.has(attempt.tx_id))
        faults.push(`${chain}: attempt ${attempt.tx_id} is called landed and is not on the chain`);
    }

    if (chain === 'bsc') faults.push(...nonceFaults(owners, landed));
  }

  for (const trade of trades) {
    if (trade.ended_at === null) faults.push(`trade ${trade.id} has not ended`);
    const landings = landedTrades.get(trade.id) ?? [];
    if (landings.length > 1)
      faults.push(`trade ${trade.id} landed ${landings.length} times: ${landings.join(', ')}`);
    if (trade.state === 'success' && landings.length !== 1)
      faults.push(`trade ${trade.id} is a success that never landed`);
  }
  const lanes = await db.selectFrom('nonce_lanes').selectAll().execute();
  for (const lane of lanes)
    faults.push(`the nonce lane of ${lane.address} is still held by ${lane.trade_id}`);

  for (const wallet of wallets)
    faults.push(...(await balanceFaults(records[wallet.chain], wallet, trades, attempts)));

  const count = (state: TradeRow['state']) => trades.filter((trade) => trade.state === state).length;
  return {
    trades: trades.length,
    success: count('success'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    landedTransactions,
    faults,
  };
}

function nonceFaults(
  owners: readonly string[],
  landed: readonly { owner: string; nonce: number | null }[],
): string[] {
  return owners.flatMap((owner) => {
    const nonces = landed
      .filter((each) => each.owner === owner)
      .map((each) => each.nonce ?? -1)
      .toSorted((a, b) => a - b);
    const isGapless = nonces.every((nonce, index) => nonce === index);
    return isGapless ? [] : [`bsc: the nonces of ${owner} are ${nonces.join(', ')}`];
  });
}

/** Granted + what the trades report must be what the chain holds now. */
async function balanceFaults(
  record: ChainRecord,
  wallet: Granted,
  trades: readonly TradeRow[],
  attempts: readonly AttemptRow[],
): Promise<string[]> {
  const own = trades.filter((trade) => trade.wallet_address === wallet.address);
  const faults: string[] = [];
  let native = wallet.nativeUnits;
  const tokens = new Map(wallet.tokens);
  for (const trade of own) {
    const sign = trade.action === 'buy' ? -1n : 1n;
    // A transfer is stored as a sell, and brings its owner nothing: it takes the native coin as well.
    native += (trade.kind === 'transfer' ? -1n : sign) * (trade.native_units ?? 0n);
    native -= (trade.fee_units ?? 0n) + (trade.tip_units ?? 0n) + (trade.rent_units ?? 0n);
    const before = tokens.get(trade.token_address) ?? 0n;
    tokens.set(trade.token_address, before - sign * (trade.token_units ?? 0n));
    const fees = attempts
      .filter((attempt) => attempt.trade_id === trade.id && attempt.state === 'landed')
      .reduce((sum, attempt) => sum + (attempt.fee_units ?? 0n), 0n);
    if (fees !== (trade.fee_units ?? 0n))
      faults.push(`trade ${trade.id}: fee ${trade.fee_units}, its attempts ${fees}`);
  }
  for (const trade of trades) {
    if (trade.recipient !== wallet.address) continue;
    native += trade.native_units ?? 0n;
    tokens.set(trade.token_address, (tokens.get(trade.token_address) ?? 0n) + (trade.token_units ?? 0n));
  }
  // What the chain's own coin moved is counted above.
  tokens.delete('');
  const held = await record.native(wallet.address);
  if (held !== native)
    faults.push(`${wallet.chain}: ${wallet.address} holds ${held}, the trades say ${native}`);
  for (const [token, expected] of tokens) {
    const heldTokens = await record.tokens(wallet.address, token);
    if (heldTokens !== expected)
      faults.push(
        `${wallet.chain}: ${wallet.address} holds ${heldTokens} of ${token}, the trades say ${expected}`,
      );
  }
  return faults;
}
