import { KervanError, NATIVE } from '@kervan/contract';
import type { ChainPort } from '@kervan/chains';
import type { VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import {
  drainStage,
  formatUnits,
  isDust,
  reserveUnits,
  spendableUnits,
  turnAmount,
  turnOf,
  type DrainStage,
  type VolumePurpose,
} from '@kervan/domain';
import type { TradeIntent } from '../../engine/intent.ts';
import type { Choices } from '../../engine/user-settings.ts';
import { buyIntent, drainIntent, fundingIntent, sellIntent } from './intents.ts';
import type { StoredReason } from './reason.ts';
import type { SessionWithWallets } from './repository.ts';
import { sumOf } from './sums.ts';

/** What a session does next. */
export type Move =
  | {
      readonly kind: 'trade';
      readonly wallet: VolumeWalletRow;
      readonly purpose: VolumePurpose;
      readonly intent: TradeIntent;
      readonly stage: DrainStage;
    }
  /** A turn that trades nothing; without a reason where there is nothing to sell. */
  | { readonly kind: 'turn skipped'; readonly reason: StoredReason | null }
  | { readonly kind: 'all funded' }
  /** There is nothing more to be got out of the wallet. */
  | {
      readonly kind: 'wallet over';
      readonly wallet: VolumeWalletRow;
      readonly nativeUnits: bigint;
      readonly tokenUnits: bigint;
    }
  /** The chain shows less in the wallet than it ought to hold. */
  | { readonly kind: 'wallet lags'; readonly wallet: VolumeWalletRow }
  | { readonly kind: 'all over' };

/** How long a node may lag behind what it has itself confirmed before it is believed. */
const LAG_MS = 10_000;

interface World {
  /** Throws while the network is not there. */
  readonly port: () => ChainPort;
  readonly settings: () => Promise<Choices>;
  readonly now: Date;
}

/** Looks at the session's rows, and at the chain where they leave the choice to what the wallets hold. */
export async function nextMoves(seen: SessionWithWallets, world: World): Promise<Move[]> {
  // Its turn is still to come, or it waits for something to pass.
  if (seen.session.next_at > world.now) return [];
  switch (seen.session.state) {
    case 'funding':
      return fundingMoves(seen);
    case 'trading':
      return await turnMoves(seen, world);
    case 'draining':
      return await drainMoves(seen, world);
    case 'ended':
      return [];
  }
}

/** One transfer after the other: the master has one nonce, and one balance. */
function fundingMoves({ session, wallets }: SessionWithWallets): Move[] {
  if (wallets.some((wallet) => wallet.trade_id !== null)) return [];
  const wallet = wallets.find(({ status }) => status === 'funding');
  if (!wallet) return [{ kind: 'all funded' }];
  const intent = fundingIntent(session, wallet);
  return [{ kind: 'trade', wallet, purpose: 'funding', intent, stage: wallet.drain_stage }];
}

async function turnMoves({ session, wallets }: SessionWithWallets, world: World): Promise<Move[]> {
  const turn = turnOf(session.seed, session.turn, session.wallet_count);
  const wallet = wallets[turn.wallet];
  // A wallet whose last trade is still under way is waited for.
  if (!wallet || wallet.trade_id !== null) return [];
  const trade = (intent: TradeIntent): Move[] => [
    { kind: 'trade', wallet, purpose: 'turn', intent, stage: wallet.drain_stage },
  ];

  if (turn.action === 'sell') {
    const held = await world.port().tokenBalances([wallet.address], session.token_address);
    const tokenUnits = held.get(wallet.address) ?? 0n;
    if (tokenUnits === 0n) return [{ kind: 'turn skipped', reason: null }];
    return trade(sellIntent(session, wallet, tokenUnits));
  }
  const balanceUnits = (await world.port().balances([wallet.address])).get(wallet.address) ?? 0n;
  const spendable = spendableUnits(session.chain, balanceUnits, wallet.funding_fee_units);
  const amountUnits = turnAmount(session.seed, session.turn, spendable);
  if (amountUnits === undefined) {
    const neededUnits = reserveUnits(session.chain, wallet.funding_fee_units);
    return [{ kind: 'turn skipped', reason: tooLittle(session, balanceUnits, neededUnits) }];
  }
  return trade(buyIntent(session, wallet, amountUnits, await world.settings()));
}

function tooLittle({ chain }: VolumeSessionRow, available: bigint, needed: bigint): StoredReason {
  const { symbol, decimals } = NATIVE[chain];
  return {
    code: 'BALANCE_INSUFFICIENT',
    context: {
      available: formatUnits(available, decimals),
      needed: formatUnits(needed, decimals),
      symbol,
    },
  };
}

async function drainMoves({ session, wallets }: SessionWithWallets, world: World): Promise<Move[]> {
  const draining = wallets.filter(({ status }) => status === 'draining');
  if (draining.length === 0) return [{ kind: 'all over' }];
  const free = draining.filter((wallet) => wallet.trade_id === null);
  if (free.length === 0) return [];
  const addresses = free.map((wallet) => wallet.address);
  const port = world.port();
  const [native, tokens] = await Promise.all([
    port.balances(addresses),
    tokensHeld(port, addresses, session.token_address),
  ]);
  return free.flatMap((wallet) => {
    const nativeUnits = native.get(wallet.address) ?? 0n;
    const tokenUnits = tokens.get(wallet.address) ?? 0n;
    if (!isBehind(wallet, nativeUnits, tokenUnits))
      return drainMove(session, wallet, nativeUnits, tokenUnits);
    if (wallet.lags_since === null) return { kind: 'wallet lags', wallet } as const;
    const isOver = world.now.getTime() - wallet.lags_since.getTime() >= LAG_MS;
    return isOver ? drainMove(session, wallet, nativeUnits, tokenUnits) : [];
  });
}

/** Nobody holds a token that is no longer there; the native coin is to come home all the same. */
async function tokensHeld(
  port: ChainPort,
  addresses: readonly string[],
  tokenAddress: string,
): Promise<ReadonlyMap<string, bigint>> {
  try {
    return await port.tokenBalances(addresses, tokenAddress);
  } catch (error) {
    const isGone = error instanceof KervanError && error.code === 'TOKEN_NOT_FOUND';
    if (isGone) return new Map();
    throw error;
  }
}

/** A wallet is never taken for empty while its own account says otherwise: behind one address there are many nodes. */
function isBehind(wallet: VolumeWalletRow, nativeUnits: bigint, tokenUnits: bigint): boolean {
  return nativeUnits < sumOf([wallet]).leftUnits || tokenUnits < wallet.held_token_units;
}

function drainMove(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  nativeUnits: bigint,
  tokenUnits: bigint,
): Move {
  const stage = drainStage(wallet.drain_stage, wallet.drain_tries, {
    nativeUnits,
    tokenUnits,
    hasDeposit: wallet.deposit_units > 0n,
    isDust: isDust(session.chain, nativeUnits, wallet.funding_fee_units),
  });
  const trade = (intent: TradeIntent): Move => ({ kind: 'trade', wallet, purpose: 'drain', intent, stage });
  switch (stage) {
    case 'sell':
      return trade(sellIntent(session, wallet, tokenUnits));
    case 'tokens':
    case 'native':
      return trade(drainIntent(session, wallet, stage));
    case 'over':
      return { kind: 'wallet over', wallet, nativeUnits, tokenUnits };
  }
}
