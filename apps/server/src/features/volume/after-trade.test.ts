import { VOLUME_FAILURES_BEFORE_STOP, type ErrorCode } from '@kervan/contract';
import type { TradeRow, VolumeSessionRow, VolumeWalletRow } from '@kervan/database';
import { describe, expect, test } from 'vitest';
import { afterTrade } from './after-trade.ts';

const now = new Date(1_795_000_000_000);
// Only the columns that the rules read; the rest of the rows is of no matter here.
const session = (over: Partial<VolumeSessionRow>) =>
  ({ state: 'trading', failures_in_a_row: 0, ...over }) as VolumeSessionRow;
const wallet = (over: Partial<VolumeWalletRow>) =>
  ({
    status: 'trading',
    trade_purpose: 'turn',
    drain_stage: 'sell',
    drain_tries: 0,
    trades: 0,
    funded_units: 0n,
    funding_fee_units: 0n,
    bought_units: 0n,
    sold_units: 0n,
    fee_units: 0n,
    deposit_units: 0n,
    recovered_units: 0n,
    recovered_token_units: 0n,
    held_token_units: 0n,
    ...over,
  }) as VolumeWalletRow;
const trade = (over: Partial<TradeRow>) =>
  ({ kind: 'swap', action: 'buy', state: 'success', error_code: null, ...over }) as TradeRow;
const failed = (code: ErrorCode, over: Partial<TradeRow> = {}) =>
  trade({ state: 'failed', error_code: code, error_context: {}, ...over });

describe('a turn', () => {
  test('that failed counts, the last of several in a row stops the session, and a success forgets them', () => {
    const failures = VOLUME_FAILURES_BEFORE_STOP - 1;
    const almost = session({ failures_in_a_row: failures });
    const after = afterTrade(almost, wallet({}), failed('SLIPPAGE_EXCEEDED'), now);
    expect(after.session.failures_in_a_row).toBe(VOLUME_FAILURES_BEFORE_STOP);
    expect(after.stopBecause).toEqual({
      code: 'VOLUME_TURNS_FAILED',
      context: { count: VOLUME_FAILURES_BEFORE_STOP, cause: 'SLIPPAGE_EXCEEDED' },
    });
    expect(afterTrade(almost, wallet({}), trade({}), now).session.failures_in_a_row).toBe(0);
    expect(afterTrade(session({}), wallet({}), failed('SLIPPAGE_EXCEEDED'), now).stopBecause).toBeUndefined();
  });

  test('that a halt prevented is nobody’s failure, and does not bring the next one forward', () => {
    const after = afterTrade(session({}), wallet({}), failed('TRADING_HALTED', { state: 'cancelled' }), now);
    expect(after.session).toEqual({ problem_code: 'TRADING_HALTED', problem_context: '{}' });
  });

  test('that failed on the chain has cost its fee', () => {
    const paid = failed('SLIPPAGE_EXCEEDED', { fee_units: 7n, tip_units: 2n });
    expect(afterTrade(session({}), wallet({ fee_units: 1n }), paid, now).wallet).toMatchObject({
      fee_units: 10n,
      trades: 0,
      trade_id: null,
    });
  });
});

describe('a funding', () => {
  const waiting = wallet({ status: 'funding', trade_purpose: 'funding' });

  test('that landed lets the wallet trade, unless the session is being drained by then', () => {
    const landed = trade({ kind: 'transfer', native_units: 5n, fee_units: 1n });
    expect(afterTrade(session({ state: 'funding' }), waiting, landed, now).wallet).toMatchObject({
      status: 'trading',
      funded_units: 5n,
      funding_fee_units: 1n,
    });
    const draining = wallet({ status: 'draining', trade_purpose: 'funding' });
    expect(afterTrade(session({ state: 'draining' }), draining, landed, now).wallet.status).toBeUndefined();
  });

  test('that the master could not pay stops the session; one that a halt prevented is tried again', () => {
    const funding = session({ state: 'funding' });
    expect(afterTrade(funding, waiting, failed('BALANCE_INSUFFICIENT'), now).stopBecause?.code).toBe(
      'VOLUME_FUNDING_FAILED',
    );
    const halted = afterTrade(funding, waiting, failed('TRADING_HALTED'), now);
    expect(halted.stopBecause).toBeUndefined();
    expect(halted.session.next_at?.getTime()).toBeGreaterThan(now.getTime());
    expect(halted.wallet.status).toBeUndefined();
  });
});

describe('draining', () => {
  const draining = session({ state: 'draining' });
  const inStage = (drain_stage: VolumeWalletRow['drain_stage']) =>
    wallet({ status: 'draining', trade_purpose: 'drain', drain_stage });

  test('counts a failure of its stage and keeps the reason', () => {
    const after = afterTrade(draining, inStage('tokens'), failed('TRANSFER_FAILED'), now);
    expect(after.wallet).toMatchObject({ drain_tries: 1, problem_code: 'TRANSFER_FAILED' });
  });

  test('goes from tokens that were sent to the native coin', () => {
    const sent = trade({ kind: 'transfer', action: 'sell', token_units: 9n });
    expect(afterTrade(draining, inStage('tokens'), sent, now).wallet).toMatchObject({
      drain_stage: 'native',
      drain_tries: 0,
      recovered_token_units: 9n,
      held_token_units: -9n,
    });
  });
});
