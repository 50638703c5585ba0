import { parseUnits } from '@kervan/domain';
import { expect, test, vi } from 'vitest';
import { lockSession, walletsOf } from '../src/features/volume/repository.ts';
import { ended, expectClosed, onSandboxes, patiently, reachCycle } from './volume-fixture.ts';

// Whole sessions on the real local chains: funded, traded, stopped, drained, and accounted for to the base unit.

const sandboxes = onSandboxes({ volume: { turnDelayMs: () => 50 } });

test.each(['solana', 'bsc'] as const)(
  'a %s session gives back what it was funded with, but for fees and the price',
  async (chain) => {
    const on = sandboxes.on[chain]();
    const master = await on.master();
    const before = await on.nativeOf(master.address);
    const sessionId = await on.start(master.named, 4);
    await reachCycle(on, 3);
    expect(await on.stats()).toMatchObject({
      isRunning: true,
      state: 'trading',
      activeWallets: 4,
      sessionId,
    });
    await on.stop();
    const session = await ended(on, sessionId);
    expect(session.totalTrades).toBeGreaterThan(8);
    await expectClosed(sandboxes.server(), on, session, before, await on.nativeOf(master.address));

    const { data } = await sandboxes
      .user()
      .call('listTrades', { query: { session_id: sessionId, status: 'success', limit: 200 } });
    expect(data.total).toBe(session.totalTrades);
    expect(new Set(data.trades.map((trade) => trade.session_id))).toEqual(new Set([sessionId]));
  },
);

test('a pasted key is sealed for its session, and gone after it', async () => {
  const on = sandboxes.on.bsc();
  const key = `0x${'5a'.repeat(32)}`;
  const { address } = await sandboxes.server().services.networks.keys('bsc').importKey(key);
  await sandboxes.user().call('faucet', { body: { chain: 'bsc', address, amount: '1' } });
  const before = await on.nativeOf(address);
  const sessionId = await on.start({ masterPrivateKey: key }, 2);
  const masters = () =>
    sandboxes.server().db.selectFrom('wallets').selectAll().where('address', '=', address).execute();
  expect(await masters()).toMatchObject([{ deleted_at: null, is_of_session: true }]);
  await on.stop();
  const session = await ended(on, sessionId);
  expect(session).toMatchObject({ masterWalletId: null, masterAddress: address });
  await expectClosed(sandboxes.server(), on, session, before, await on.nativeOf(address));
  expect(await masters()).toMatchObject([{ sealed_key: null, wrapped_data_key: null }]);
});

test.each(['solana', 'bsc'] as const)(
  'a halted %s session waits, says so, and is drained when the halt is over',
  async (chain) => {
    const on = sandboxes.on[chain]();
    const user = sandboxes.user();
    const master = await on.master();
    const before = await on.nativeOf(master.address);
    const sessionId = await on.start(master.named, 2);
    await reachCycle(on, 1);
    await user.call('setHalt', { body: { halted: true } });
    await vi.waitFor(async () => {
      expect((await on.stats()).problem?.code).toBe('TRADING_HALTED');
    }, patiently);
    await on.stop();
    await vi.waitFor(async () => {
      expect(await on.stats()).toMatchObject({ state: 'draining', problem: { code: 'TRADING_HALTED' } });
    }, patiently);
    await user.call('setHalt', { body: { halted: false } });
    const session = await ended(on, sessionId);
    expect(session).toMatchObject({ stopReason: null, problem: null });
    await expectClosed(sandboxes.server(), on, session, before, await on.nativeOf(master.address));
  },
);

test('a taxed token that can’t be sold any more goes to the master, and the rest of the account closes', async () => {
  const on = sandboxes.on.bsc('sTAX');
  const server = sandboxes.server();
  const master = await on.master();
  const before = await on.nativeOf(master.address);
  const sessionId = await on.start(master.named, 2);
  await vi.waitFor(async () => {
    expect(await closePoolUnder(sessionId)).toBe(true);
  }, patiently);
  const session = await ended(on, sessionId);
  expect(session.stopReason?.code).toBe('VOLUME_TURNS_FAILED');
  await expectClosed(server, on, session, before, await on.nativeOf(master.address));
  const port = server.services.networks.port('bsc', 'sandbox');
  const held = (await port.tokenBalances([master.address], on.token)).get(master.address) ?? 0n;
  // What the transfer was taxed never arrived.
  const sent = parseUnits(session.account.tokensRecovered, 18) ?? 0n;
  expect(held).toBeGreaterThan(0n);
  expect(held).toBeLessThan(sent);
});

/** Sends the session to where its token has no pool, in a moment in which one of its wallets holds some. */
async function closePoolUnder(sessionId: string): Promise<boolean> {
  return await sandboxes
    .server()
    .db.transaction()
    .execute(async (trx) => {
      await lockSession(trx, sessionId);
      const wallets = await walletsOf(trx, [sessionId]);
      if (!wallets.some((wallet) => wallet.held_token_units > 0n && wallet.trade_id === null)) return false;
      await trx
        .updateTable('volume_sessions')
        // One turn on: what was decided of the session as it was before is not written down any more.
        .set(({ eb }) => ({ dex_version: 'v3', turn: eb('turn', '+', 1) }))
        .where('id', '=', sessionId)
        .execute();
      return true;
    });
}

test.each(['solana', 'bsc'] as const)(
  'a %s session whose token has gone from the chain still gives its coin back',
  async (chain) => {
    const on = sandboxes.on[chain]();
    const master = await on.master();
    const before = await on.nativeOf(master.address);
    const sessionId = await on.start(master.named, 2);
    await sandboxes
      .server()
      .db.updateTable('volume_sessions')
      .set({ token_address: chain === 'bsc' ? `0x${'de'.repeat(20)}` : master.address })
      .where('id', '=', sessionId)
      .execute();
    await on.stop();
    const session = await ended(on, sessionId);
    expect(session.totalTrades).toBeLessThanOrEqual(1);
    expect(session.wallets.every(({ leftNative }) => leftNative === '0')).toBe(true);
    expect(before - (await on.nativeOf(master.address))).toBeLessThan(before / 20n);
  },
);

test('what can’t be recovered is listed with its reason, and is recovered as soon as it can be', async () => {
  const on = sandboxes.on.bsc();
  const user = sandboxes.user();
  const master = await on.master();
  const sessionId = await on.start(master.named, 2);
  await on.stop();
  const { wallets } = await ended(on, sessionId);
  const address = wallets[0]?.address ?? '';

  // Tokens arrive where no BNB is left to move them.
  await user.call('faucet', { body: { chain: 'bsc', address, amount: '50', tokenAddress: on.token } });
  await on.drain(sessionId);
  const stranded = await ended(on, sessionId);
  expect(stranded.strandedWallets).toBe(1);
  expect(stranded.wallets[0]).toMatchObject({
    status: 'stranded',
    leftNative: '0',
    leftTokens: '50',
    problem: { code: 'BALANCE_INSUFFICIENT' },
  });

  await user.call('faucet', { body: { chain: 'bsc', address, amount: '0.5' } });
  const before = await on.nativeOf(master.address);
  await on.drain(sessionId);
  const session = await ended(on, sessionId);
  expect(session.wallets[0]).toMatchObject({
    status: 'drained',
    leftNative: '0',
    leftTokens: '0',
    problem: null,
  });
  expect(await on.nativeOf(master.address)).toBeGreaterThan(before + 5n * 10n ** 17n);
});
