import type { Queryable } from '@kervan/database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isHalted, setHalted } from '../src/engine/halt.ts';
import { codeOf, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;

/** What every statement that commits an attempt asks first. */
async function isSigningAllowed(db: Queryable): Promise<boolean | undefined> {
  const { rows } = await sql<{ allowed: boolean }>`select signing_allowed() as allowed`.execute(db);
  return rows[0]?.allowed;
}

beforeAll(async () => {
  server = await startTestServer({ isWorking: false });
});
afterAll(() => server.stop());

const none = { maxNativePerTrade: null, maxNativePerWalletPerDay: null };

describe('settings', () => {
  test('begin with the sandboxes and no limits', async () => {
    const user = await server.registerUser();
    expect((await user.call('getSettings')).data).toEqual({
      solana: { network: 'sandbox', limits: none, providerKey: null },
      bsc: { network: 'sandbox', chainId: 31337, rpcUrl: null, limits: none },
    });
  });

  test('a change leaves what it does not name, and touches no other user', async () => {
    const [user, other] = [await server.registerUser(), await server.registerUser()];
    const limits = { maxNativePerTrade: 0.5, maxNativePerWalletPerDay: 2 };
    await user.call('updateSettings', { body: { bsc: { limits } } });
    const { data } = await user.call('updateSettings', { body: { solana: { network: 'devnet' } } });
    expect(data).toEqual({
      solana: { network: 'devnet', limits: none, providerKey: null },
      bsc: { network: 'sandbox', chainId: 31337, rpcUrl: null, limits },
    });
    expect((await user.call('getSettings')).data).toEqual(data);
    expect((await other.call('getSettings')).data.bsc.limits).toEqual(none);
  });

  test('one of the two limits may be sent alone', async () => {
    const user = await server.registerUser();
    const perTrade = { maxNativePerTrade: 0.5 };
    const perDay = { maxNativePerWalletPerDay: 2 };
    await user.call('updateSettings', { body: { bsc: { limits: perTrade } } });
    const { data } = await user.call('updateSettings', { body: { bsc: { limits: perDay } } });
    expect(data.bsc.limits).toEqual({ ...perTrade, ...perDay });
    expect(data.solana.limits).toEqual(none);
    const cleared = await user.call('updateSettings', {
      body: { bsc: { limits: { maxNativePerTrade: null } } },
    });
    expect(cleared.data.bsc.limits).toEqual({ maxNativePerTrade: null, ...perDay });
  });

  test('changes at the same time don’t undo each other', async () => {
    const user = await server.registerUser();
    await Promise.all([
      user.call('updateSettings', { body: { solana: { network: 'mainnet' } } }),
      user.call('updateSettings', { body: { bsc: { network: 'testnet' } } }),
    ]);
    const { data } = await user.call('getSettings');
    expect([data.solana.network, data.bsc.network]).toEqual(['mainnet', 'testnet']);
  });

  test.each([
    { solana: { network: 'testnet' } },
    { bsc: { network: 'devnet' } },
    { bsc: { limits: { maxNativePerTrade: -1, maxNativePerWalletPerDay: null } } },
    { bsc: { limits: { maxNativePerTrade: 1, perHour: 1 } } },
    { bsc: { limits: null } },
    { bsc: null },
    { ethereum: {} },
  ])('%j is refused and changes nothing', async (body) => {
    const user = await server.registerUser();
    expect(codeOf(await user.call('updateSettings', { body: body as never }))).toBe('VALIDATION_FAILED');
    expect((await user.call('getSettings')).data.bsc).toMatchObject({ network: 'sandbox', limits: none });
  });

  test('every network is listed with its band; a sandbox that does not run is not available', async () => {
    const user = await server.registerUser();
    const { data, meta } = await user.call('listNetworks');
    expect(data.map(({ chain, network, kind, isAvailable }) => [chain, network, kind, isAvailable])).toEqual([
      ['solana', 'sandbox', 'sandbox', false],
      ['solana', 'devnet', 'test', true],
      ['solana', 'mainnet', 'live', true],
      ['bsc', 'sandbox', 'sandbox', false],
      ['bsc', 'testnet', 'test', true],
      ['bsc', 'mainnet', 'live', true],
    ]);
    expect(meta.pagination).toEqual({ total: 6, page: 1, limit: 1000 });
    const second = await user.call('listNetworks', { query: { page: 2, limit: 4 } });
    expect(second.data).toEqual(data.slice(4));
    expect(second.meta.pagination).toEqual({ total: 6, page: 2, limit: 4 });
  });
});

describe('the halt switch', () => {
  test('is one for everyone and stays', async () => {
    const [user, other] = [await server.registerUser(), await server.registerUser()];
    expect((await user.call('getHalt')).data).toEqual({ halted: false });
    expect((await user.call('setHalt', { body: { halted: true } })).data).toEqual({ halted: true });
    expect((await other.call('getHalt')).data).toEqual({ halted: true });
    expect((await server.call('health')).data.halted).toBe(true);
    await other.call('setHalt', { body: { halted: false } });
    expect(await isHalted(server.db)).toBe(false);
  });

  test('waits for the signing that has begun, and none begins after it', async () => {
    const { db } = server;
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const order: string[] = [];
    const signing = db.transaction().execute(async (trx) => {
      expect(await isSigningAllowed(trx)).toBe(true);
      begun.resolve();
      await mayEnd.promise;
      order.push('signed');
    });
    await begun.promise;
    const halting = setHalted(db, true).then(() => order.push('halted'));
    await expect
      .poll(async () => (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length)
      .toBe(1);
    mayEnd.resolve();
    await Promise.all([signing, halting]);
    expect(order).toEqual(['signed', 'halted']);
    expect(await isSigningAllowed(db)).toBe(false);
    await setHalted(db, false);
  });
});
