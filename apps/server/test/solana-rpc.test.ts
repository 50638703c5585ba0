import { startSolanaSandbox, type SolanaSandbox } from '@kervan/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSolanaRpcService } from '../src/features/solana-rpc/service.ts';
import { LIVE_SERVICES } from '../src/engine/live-nodes.ts';
import { createNetworks } from '../src/engine/networks.ts';
import { serveJson, type FakeService } from './fake-service.ts';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

const ADDRESS = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const KEY = 'b7f2c6d0-1234-5678-9abc-9e1d40aa77c3';

describe('in the sandbox', () => {
  let sandbox: SolanaSandbox;
  let server: TestServer;
  let user: TestUser;

  beforeAll(async () => {
    sandbox = await startSolanaSandbox({ dataDir: await createDataDir(), port: 0 });
    const env = { KERVAN_SANDBOX_SOLANA_PORT: String(sandbox.port), KERVAN_SANDBOX_BSC_PORT: '1' };
    server = await startTestServer({ env, isWorking: false });
    user = await server.registerUser();
    await server.services.networks.verifiedPort('solana', 'sandbox');
    await server.services.networks.sandbox?.grant('solana', {
      address: ADDRESS,
      amountUnits: 1_500_000_000n,
    });
  });
  afterAll(async () => {
    await server.stop();
    await sandbox.close();
  });

  test('every read method answers what the node says', async () => {
    const [token] = sandbox.tokens;
    const { data: balance } = await user.call('solanaRpc', {
      body: { method: 'getBalance', params: [ADDRESS] },
    });
    expect(balance.result).toMatchObject({ value: 1_500_000_000 });
    const { data: hash } = await user.call('solanaRpc', {
      body: { method: 'getLatestBlockhash', params: [] },
    });
    expect(hash.result).toMatchObject({ value: { blockhash: expect.any(String) as string } });
    const signatures = {
      method: 'getSignaturesForAddress' as const,
      params: [ADDRESS, 5] as [string, number],
    };
    await expect
      .poll(async () => (await user.call('solanaRpc', { body: signatures })).data.result)
      .toHaveLength(1);
    const { data: accounts } = await user.call('solanaRpc', {
      body: { method: 'getTokenAccountsByOwner', params: [ADDRESS, TOKEN_PROGRAM] },
    });
    expect(accounts.result).toMatchObject({ value: [] });
    const { data: mint } = await user.call('solanaRpc', {
      body: { method: 'getAccountInfo', params: [token?.address ?? ''] },
    });
    expect(mint.result).toMatchObject({ value: { owner: TOKEN_PROGRAM } });
  });

  test.each([
    { method: 'sendTransaction', params: ['AAAA'] },
    { method: 'requestAirdrop', params: [ADDRESS, 1] },
    { method: 'getBalance', params: ['not an address'] },
    { method: 'getBalance', params: [ADDRESS, { commitment: 'processed' }] },
    { method: 'getBalance' },
    { method: 'getLatestBlockhash', params: [], id: 1 },
    { method: 'getSignaturesForAddress', params: [ADDRESS, 1001] },
  ])('%j is refused', async (body) => {
    const called = await user.call('solanaRpc', { body: body as never });
    expect(called.status).toBe(400);
  });
});

describe('a live node', () => {
  let answers: (() => { status: number; body: unknown })[] = [];
  let node: FakeService;
  let server: TestServer;
  const good = { jsonrpc: '2.0', id: 1, result: { value: 5, rentEpoch: 1 } };
  const limited = () => ({ status: 429, body: {} });
  const pauses: number[] = [];

  beforeAll(async () => {
    let current = { status: 200, body: good as unknown };
    node = await serveJson(
      () => current.body,
      () => {
        current = answers.shift()?.() ?? { status: 200, body: good };
        return current.status;
      },
    );
    server = await startTestServer({ isWorking: false });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    answers = [];
    pauses.length = 0;
  });

  /** The service of a user on devnet, with a provider key; waits are noted, not waited for. */
  async function serviceOfUser() {
    const user = await server.registerUser();
    await user.call('updateSettings', { body: { solana: { network: 'devnet' } } });
    const networks = createNetworks({
      sandboxPorts: undefined,
      services: {
        ...LIVE_SERVICES,
        providerNode: (_network, key) => ({ rpcUrl: `${node.url}/?api-key=${key}` }),
      },
      ownNode: () => KEY,
    });
    const rpc = createSolanaRpcService({
      db: server.db,
      networks,
      random: () => 0.5,
      pause: async (ms) => void pauses.push(ms),
    });
    return () => rpc.call(user.id, { method: 'getBalance', params: [ADDRESS] });
  }

  test('is asked with the user’s provider key', async () => {
    const call = await serviceOfUser();
    expect(await call()).toEqual({ value: 5, rentEpoch: 1 });
    expect(node.asked.at(-1)?.url).toBe(`/?api-key=${KEY}`);
    expect(node.asked.at(-1)?.body).toMatchObject({
      method: 'getBalance',
      params: [ADDRESS, { commitment: 'confirmed' }],
    });
  });

  test('that limits the rate is asked three more times, ever later', async () => {
    const call = await serviceOfUser();
    answers = [limited, limited, limited];
    expect(await call()).toMatchObject({ value: 5 });
    expect(pauses).toEqual([1_500, 2_500, 4_500]);
    answers = [limited, limited, limited, limited];
    await expect(call()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Rate limited - too many requests',
    });
  });

  test('that refuses the key, the call, or is away says so without the key', async () => {
    const call = await serviceOfUser();
    const refused = { code: -32_602, message: `Invalid param for ${node.url}/?api-key=${KEY}` };
    answers = [() => ({ status: 403, body: {} })];
    await expect(call()).rejects.toMatchObject({ code: 'PROVIDER_KEY_REFUSED' });
    answers = [() => ({ status: 200, body: { jsonrpc: '2.0', id: 1, error: refused } })];
    const error = await call().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'RPC_REFUSED' });
    answers = [() => ({ status: 500, body: 'what?' })];
    const broken = await call().catch((caught: unknown) => caught);
    expect(broken).toMatchObject({ code: 'NETWORK_UNREACHABLE', context: { network: 'Solana devnet' } });
    for (const each of [error, broken]) expect(JSON.stringify([each, String(each)])).not.toContain(KEY);
  });
});

test('of more than ten calls in a second the later ones wait, and a flood is refused', async () => {
  const node = await serveJson(() => ({ jsonrpc: '2.0', id: 1, result: null }));
  const server = await startTestServer({
    isWorking: false,
    live: { ...LIVE_SERVICES, publicNode: () => ({ rpcUrl: node.url }) },
  });
  const user = await server.registerUser();
  await user.call('updateSettings', { body: { solana: { network: 'devnet' } } });
  const began = performance.now();
  const calls = Array.from({ length: 50 }, async () => {
    const called = await user.call('solanaRpc', { body: { method: 'getLatestBlockhash', params: [] } });
    return { code: codeOf(called), ms: performance.now() - began };
  });
  const all = await Promise.all(calls);
  const answered = all.filter(({ code }) => code === undefined);
  expect(answered.length).toBeGreaterThanOrEqual(40);
  expect(all.filter(({ code }) => code === 'RATE_LIMITED').length).toBe(50 - answered.length);
  expect(answered.filter(({ ms }) => ms < 900).length).toBeLessThanOrEqual(10);
  await server.stop();
}, 20_000);
