import type { Chain, Network } from '@kervan/contract';
import { beforeEach, expect, test } from 'vitest';
import { uuidv7 } from '../src/lib/ids.ts';
import { createFakeNetworks, TOKENS } from './fake-networks.ts';
import { startTestServer, type TestServer, type TestUser } from './harness.ts';

const AWAY = 'The node does not answer.';
const SANDBOXES = ['solana sandbox', 'bsc sandbox'];

let server: TestServer;

beforeEach(async () => {
  const fakes = createFakeNetworks();
  // Whatever somebody once looked at, no node answers.
  const status = () => fakes.status().map((each) => ({ ...each, ok: false, problem: AWAY }));
  server = await startTestServer({ networks: { ...fakes, status }, isWorking: false });
});

/** The networks that health tells of. */
async function healthNetworks(): Promise<string[]> {
  const { data } = await server.call('health');
  const parts = data.parts.filter(({ problem }) => problem === AWAY);
  return parts.map(({ name }) => name);
}

async function choose(user: TestUser, solana: 'sandbox' | 'devnet', bsc: 'sandbox' | 'mainnet') {
  await user.call('updateSettings', { body: { solana: { network: solana }, bsc: { network: bsc } } });
}

test('before anyone has chosen, the defaults are in use and nothing is said of the others', async () => {
  expect(await healthNetworks()).toEqual(SANDBOXES);
  const user = await server.registerUser();
  expect(await healthNetworks()).toEqual(SANDBOXES);
  const { data } = await user.call('listNetworks');
  const told = (chain: Chain, network: Network) =>
    data.find((each) => each.chain === chain && each.network === network);
  expect(told('bsc', 'sandbox')).toMatchObject({ isInUse: true, problem: AWAY });
  expect(told('bsc', 'mainnet')).toMatchObject({ isInUse: false, isAvailable: true, problem: null });
});

test('a network is in use while a user has chosen it', async () => {
  const [ada, bob] = [await server.registerUser(), await server.registerUser()];
  await choose(ada, 'devnet', 'mainnet');
  expect(await healthNetworks()).toEqual(['solana sandbox', 'solana devnet', 'bsc sandbox', 'bsc mainnet']);
  await choose(bob, 'devnet', 'mainnet');
  expect(await healthNetworks()).toEqual(['solana devnet', 'bsc mainnet']);
  await choose(ada, 'sandbox', 'sandbox');
  await choose(bob, 'sandbox', 'sandbox');
  expect(await healthNetworks()).toEqual(SANDBOXES);
});

test('a network is in use while an active bot trades there, or a trade is open there', async () => {
  const user = await server.registerUser();
  const { data: wallet } = await user.call('createWallet', { body: { name: 'W' } });
  await choose(user, 'devnet', 'sandbox');
  const { data: bot } = await user.call('createBot', {
    body: {
      name: 'Bot',
      wallet_id: wallet.id,
      action: 'buy',
      amount_min: 1,
      amount_max: 2,
      range_time_min: 30,
      range_time_max: 60,
      token_address: TOKENS.solana,
    },
  });
  await choose(user, 'sandbox', 'sandbox');
  expect(await healthNetworks()).toEqual(SANDBOXES);

  await setActive(bot.id, true);
  expect(await healthNetworks()).toContain('solana devnet');
  await setActive(bot.id, false);
  expect(await healthNetworks()).toEqual(SANDBOXES);

  const tradeId = await openTrade(user.id, wallet.id);
  expect(await healthNetworks()).toContain('solana devnet');
  await server.db
    .updateTable('trades')
    .set({ state: 'cancelled', ended_at: new Date() })
    .where('id', '=', tradeId)
    .execute();
  expect(await healthNetworks()).toEqual(SANDBOXES);
});

async function setActive(id: string, is_active: boolean): Promise<void> {
  await server.db.updateTable('bots').set({ is_active }).where('id', '=', id).execute();
}

async function openTrade(userId: string, walletId: string): Promise<string> {
  const id = uuidv7();
  await server.db
    .insertInto('trades')
    .values({
      id,
      user_id: userId,
      idempotency_key: id,
      wallet_id: walletId,
      wallet_name: 'W',
      wallet_address: 'address',
      chain: 'solana',
      network: 'devnet',
      source: 'fast-swap',
      action: 'buy',
      token_address: TOKENS.solana,
      token_decimals: 6,
      amount_in_units: 1n,
      slippage_bps: 100,
      limit_value_units: 0n,
      state: 'planned',
    })
    .execute();
  return id;
}
