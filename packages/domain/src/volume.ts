import type { Action, Chain } from '@kervan/contract';
import { drawInRange } from './draw.ts';

/** The plan of a volume session: everything that is drawn or decided without asking a chain. */

/** What a trade of a session is for. */
export type VolumePurpose = 'funding' | 'turn' | 'drain';

/**
 * What each wallet is funded with, in base units: draws between the bounds that together are at most
 * `availableUnits`. Undefined if that is not even the least for all of them.
 */
export function planFunding(
  seed: Uint8Array,
  walletCount: number,
  { minUnits, maxUnits }: { readonly minUnits: bigint; readonly maxUnits: bigint },
  availableUnits: bigint,
): bigint[] | undefined {
  let spareUnits = availableUnits - minUnits * BigInt(walletCount);
  if (spareUnits < 0n) return undefined;
  return Array.from({ length: walletCount }, (_, index) => {
    const most = minUnits + spareUnits < maxUnits ? minUnits + spareUnits : maxUnits;
    const amount = drawInRange(seed, BigInt(index), 'funding', minUnits, most);
    spareUnits -= amount - minUnits;
    return amount;
  });
}

/** One wallet's move. Turns count from 0; a session makes one at each interval. */
export interface Turn {
  /** 1, 2, 3 … */
  readonly cycle: number;
  /** Which wallet, from 0. */
  readonly wallet: number;
  readonly action: Action;
}

/** In a cycle every wallet buys once and later sells what it holds, in an order that is drawn anew each time. */
export function turnOf(seed: Uint8Array, turn: number, walletCount: number): Turn {
  const turns = walletCount * 2;
  const cycle = Math.floor(turn / turns);
  const order = Array.from({ length: turns }, (_, index) => index % walletCount);
  for (let last = turns - 1; last > 0; last--) {
    const chosen = Number(drawInRange(seed, BigInt(cycle), `order ${last}`, 0n, BigInt(last)));
    [order[last], order[chosen]] = [order[chosen] ?? 0, order[last] ?? 0];
  }
  const wallet = order[turn % turns] ?? 0;
  const isFirst = order.indexOf(wallet) === turn % turns;
  return { cycle: cycle + 1, wallet, action: isFirst ? 'buy' : 'sell' };
}

/** The cycle that the next turn belongs to. */
export function cycleOf(turn: number, walletCount: number): number {
  return Math.floor(turn / (walletCount * 2)) + 1;
}

/** Deposits for the token's account and for the one that SOL is wrapped in meanwhile, and a hundred signatures. */
const SOLANA_RESERVE_UNITS = 5_000_000n;
/**
 * A buy, an approval, a sell and the way home cost about 20 plain transfers of BNB. Half as much again, for gas gets
 * dearer than it was when the wallet was funded.
 */
const BSC_RESERVE_TRANSFERS = 30n;

/** What a wallet keeps of its coin, to pay for a buy, for selling, and for being drained. */
export function reserveUnits(chain: Chain, transferFeeUnits: bigint): bigint {
  return chain === 'solana' ? SOLANA_RESERVE_UNITS : BSC_RESERVE_TRANSFERS * transferFeeUnits;
}

/** What a wallet may spend on buys beside that. */
export function spendableUnits(chain: Chain, balanceUnits: bigint, transferFeeUnits: bigint): bigint {
  const reserve = reserveUnits(chain, transferFeeUnits);
  return balanceUnits > reserve ? balanceUnits - reserve : 0n;
}

/** What a turn buys for: 30 to 80 % of what the wallet may spend; undefined where that is nothing. */
export function turnAmount(seed: Uint8Array, turn: number, spendable: bigint): bigint | undefined {
  if (spendable <= 0n) return undefined;
  const [least, most] = [(spendable * 30n) / 100n, (spendable * 80n) / 100n];
  const amount = drawInRange(seed, BigInt(turn), 'buy', least, most);
  return amount > 0n ? amount : undefined;
}

/**
 * How a wallet is emptied, one stage after the other: its tokens are sold, those that can't be sold are sent to the
 * master (which on Solana also closes their account), then all of the native coin goes there.
 */
export const drainStages = ['sell', 'tokens', 'native', 'over'] as const;
export type DrainStage = (typeof drainStages)[number];

export interface Holdings {
  readonly nativeUnits: bigint;
  readonly tokenUnits: bigint;
  /** Whether a token account that the wallet paid a deposit for is still open. */
  readonly hasDeposit: boolean;
  /** Whether the native coin may be too little to pay for its own way: see isDust. */
  readonly isDust: boolean;
}

/** A wallet on Solana moves nothing unless it has its own deposit and a fee. */
const SOLANA_DUST_UNITS = 895_880n;
/** Gas may be so many times dearer than when the wallet was funded before more than dust is held up. */
const BSC_DUST_TRANSFERS = 4n;

/** Whether so little native coin can be expected not to pay for its own way. */
export function isDust(chain: Chain, nativeUnits: bigint, transferFeeUnits: bigint): boolean {
  return chain === 'solana'
    ? nativeUnits < SOLANA_DUST_UNITS
    : nativeUnits <= BSC_DUST_TRANSFERS * transferFeeUnits;
}

/** Trades that a stage gets before it is given up for the next. */
export const DRAIN_TRIES = 3;

/** The stage that a wallet is in, given what it holds: stages that have nothing to do, or were tried enough, are over. */
export function drainStage(stage: DrainStage, tries: number, held: Holdings): DrainStage {
  const isWanted: Record<DrainStage, boolean> = {
    sell: held.tokenUnits > 0n,
    tokens: held.tokenUnits > 0n || held.hasDeposit,
    // Dust is tried once: gas may be cheap today.
    native: held.nativeUnits > 0n && !(held.isDust && stage === 'native' && tries > 0),
    over: true,
  };
  const from = drainStages.indexOf(stage) + (tries >= DRAIN_TRIES ? 1 : 0);
  return drainStages.slice(from).find((each) => isWanted[each]) ?? 'over';
}
