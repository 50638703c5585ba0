import {
  NATIVE,
  type BscVolumeWallet,
  type Language,
  type ServerEvent,
  type SolanaVolumeWallet,
  type VolumeSession,
  type VolumeSessionDetail,
  type VolumeStats,
} from '@kervan/contract';
import type { VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import { cycleOf, formatUnits } from '@kervan/domain';
import { toReason } from './reason.ts';
import type { SessionWithWallets } from './repository.ts';
import { sumOf } from './sums.ts';
import type { WalletView } from './service.ts';

/** True from start to stop. */
export function isRunning({ state }: Pick<VolumeSessionRow, 'state'>): boolean {
  return state === 'funding' || state === 'trading';
}

/** Whether there may be something in the wallet that is still to be moved. */
export function isActive({ status }: Pick<VolumeWalletRow, 'status'>): boolean {
  return status === 'funding' || status === 'trading' || status === 'draining';
}

/** The cycle of the session's latest turn; 0 before the first. */
function currentCycle({ turn, wallet_count }: Pick<VolumeSessionRow, 'turn' | 'wallet_count'>): number {
  return turn === 0 ? 0 : cycleOf(turn - 1, wallet_count);
}

export function volumeUpdated(session: VolumeSessionRow): ServerEvent<'volume:updated'> {
  return {
    sessionId: session.id,
    chain: session.chain,
    state: session.state,
    isRunning: isRunning(session),
    currentCycle: currentCycle(session),
  };
}

function figures({ session, wallets }: SessionWithWallets) {
  const sum = sumOf(wallets);
  const { decimals } = NATIVE[session.chain];
  return {
    totalVolume: formatUnits(sum.boughtUnits + sum.soldUnits, decimals),
    totalTrades: sum.trades,
    totalProfit: formatUnits(sum.profitUnits, decimals),
    currentCycle: currentCycle(session),
  };
}

export function toVolumeStats(found: SessionWithWallets | undefined, language: Language): VolumeStats {
  if (!found)
    return {
      totalVolume: '0',
      totalTrades: 0,
      totalProfit: '0',
      currentCycle: 0,
      activeWallets: 0,
      isRunning: false,
      startTime: null,
      sessionId: null,
      state: null,
      network: null,
      tokenAddress: null,
      tokenSymbol: null,
      problem: null,
    };
  const { session, wallets } = found;
  return {
    ...figures(found),
    activeWallets: wallets.filter(isActive).length,
    isRunning: isRunning(session),
    startTime: session.started_at.getTime(),
    sessionId: session.id,
    state: session.state,
    network: session.network,
    tokenAddress: session.token_address,
    tokenSymbol: session.token_symbol,
    problem: toReason(session.problem_code, session.problem_context, language),
  };
}

export function toSolanaVolumeWallet(view: WalletView): SolanaVolumeWallet {
  return { ...walletView(view), publicKey: view.wallet.address };
}

export function toBscVolumeWallet(view: WalletView): BscVolumeWallet {
  return { ...walletView(view), address: view.wallet.address };
}

function walletView({ session, wallet, nativeUnits, tokenUnits }: WalletView) {
  return {
    id: wallet.wallet_id,
    status: wallet.status,
    balance: decimal(nativeUnits, NATIVE[session.chain].decimals),
    tokenBalance: decimal(tokenUnits, session.token_decimals),
    lastActivity: wallet.last_activity?.getTime() ?? null,
  };
}

function decimal(units: bigint | null, decimals: number): string | null {
  return units === null ? null : formatUnits(units, decimals);
}

export function toVolumeSession(found: SessionWithWallets, language: Language): VolumeSession {
  const { session, wallets } = found;
  return {
    ...figures(found),
    sessionId: session.id,
    chain: session.chain,
    network: session.network,
    state: session.state,
    masterWalletId: session.is_master_pasted ? null : session.master_wallet_id,
    masterAddress: session.master_address,
    tokenAddress: session.token_address,
    tokenSymbol: session.token_symbol,
    walletCount: session.wallet_count,
    minAmount: session.min_amount,
    maxAmount: session.max_amount,
    tradingIntervalMs: session.trading_interval_ms,
    slippageBps: session.slippage_bps,
    startTime: session.started_at.getTime(),
    stopTime: session.stopped_at?.getTime() ?? null,
    endTime: session.ended_at?.getTime() ?? null,
    stopReason: toReason(session.stop_code, session.stop_context, language),
    problem: toReason(session.problem_code, session.problem_context, language),
    strandedWallets: wallets.filter(({ status }) => status === 'stranded').length,
  };
}

export function toVolumeSessionDetail(found: SessionWithWallets, language: Language): VolumeSessionDetail {
  const { session, wallets } = found;
  const native = (units: bigint) => formatUnits(units, NATIVE[session.chain].decimals);
  const tokens = (units: bigint) => formatUnits(units, session.token_decimals);
  const sum = sumOf(wallets);
  return {
    ...toVolumeSession(found, language),
    account: {
      funded: native(sum.fundedUnits),
      recovered: native(sum.recoveredUnits),
      fees: native(sum.feeUnits),
      masterFees: native(sum.masterFeeUnits),
      deposits: native(sum.depositUnits),
      priceLoss: native(sum.boughtUnits - sum.soldUnits),
      left: native(sum.leftUnits),
      tokensRecovered: tokens(sum.recoveredTokenUnits),
    },
    wallets: wallets.map((wallet) => ({
      id: wallet.wallet_id,
      address: wallet.address,
      status: wallet.status,
      funded: native(wallet.funded_units),
      recovered: native(wallet.recovered_units),
      tokensRecovered: tokens(wallet.recovered_token_units),
      leftNative: decimal(wallet.left_native_units, NATIVE[session.chain].decimals),
      leftTokens: decimal(wallet.left_token_units, session.token_decimals),
      problem: toReason(wallet.problem_code, wallet.problem_context, language),
      lastActivity: wallet.last_activity?.getTime() ?? null,
    })),
  };
}
