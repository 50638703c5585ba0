import type { VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import { NO_LIMITS } from '@kervan/domain';
import type { SwapIntent, TransferIntent } from '../../engine/intent.ts';
import { tradeLimits, type Choices } from '../../engine/user-settings.ts';

/** What every trade and transfer of a session says of itself. The key makes a repeated step the same trade. */
function common(session: VolumeSessionRow, wallet: VolumeWalletRow) {
  const { user_id: userId, chain, network, id: sourceId } = session;
  return {
    idempotencyKey: `volume:${sourceId}:${wallet.number}:${wallet.step}`,
    userId,
    chain,
    network,
    source: 'volume',
    sourceId,
    sourceName: session.token_symbol,
  } as const;
}

function signer(wallet: VolumeWalletRow) {
  return { id: wallet.wallet_id, name: walletName(wallet.number), address: wallet.address };
}

export function walletName(number: number): string {
  return `Volume ${number + 1}`;
}

function tokenOf(session: VolumeSessionRow) {
  return {
    address: session.token_address,
    symbol: session.token_symbol,
    decimals: session.token_decimals,
  };
}

export function fundingIntent(session: VolumeSessionRow, wallet: VolumeWalletRow): TransferIntent {
  return {
    ...common(session, wallet),
    kind: 'transfer',
    wallet: { id: session.master_wallet_id, name: session.master_name, address: session.master_address },
    recipient: wallet.address,
    asset: { kind: 'native', amountUnits: wallet.funding_units },
  };
}

/** The person's limits hold for what a session spends. */
export function buyIntent(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  amountInUnits: bigint,
  settings: Choices,
): SwapIntent {
  return {
    ...swap(session, wallet, 'buy', amountInUnits),
    limits: tradeLimits(settings, session.chain),
    limitValueUnits: amountInUnits,
  };
}

/** Not limited: a limit must never keep back what is on its way to the master. */
export function sellIntent(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  amountInUnits: bigint,
): SwapIntent {
  return { ...swap(session, wallet, 'sell', amountInUnits), limits: NO_LIMITS, limitValueUnits: 0n };
}

function swap(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  action: SwapIntent['action'],
  amountInUnits: bigint,
): Omit<SwapIntent, 'limits' | 'limitValueUnits'> {
  return {
    ...common(session, wallet),
    wallet: signer(wallet),
    action,
    token: tokenOf(session),
    amountInUnits,
    slippageBps: session.slippage_bps,
    dexVersion: session.dex_version,
    gas: null,
  };
}

/** All of the token, or all of the native coin, to the master. */
export function drainIntent(
  session: VolumeSessionRow,
  wallet: VolumeWalletRow,
  what: 'tokens' | 'native',
): TransferIntent {
  return {
    ...common(session, wallet),
    kind: 'transfer',
    wallet: signer(wallet),
    recipient: session.master_address,
    asset: what === 'tokens' ? { kind: 'token', token: tokenOf(session) } : { kind: 'native-rest' },
  };
}
