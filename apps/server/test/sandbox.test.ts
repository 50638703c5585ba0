import { FAIR_WEATHER } from '@kervan/contract';
import { startBscSandbox, startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

let solana: Awaited<ReturnType<typeof startSolanaSandbox>>;
let bsc: Awaited<ReturnType<typeof startBscSandbox>>;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  const dataDir = await createDataDir();
  [solana, bsc] = await Promise.all([
    startSolanaSandbox({ dataDir, port: 0 }),
    startBscSandbox({ dataDir, port: 0 }),
  ]);
  server = await startTestServer({
    env: { KERVAN_SANDBOX_SOLANA_PORT: `${solana.port}`, KERVAN_SANDBOX_BSC_PORT: `${bsc.port}` },
    isWorking: false,
  });
  user = await server.registerUser();
  await vi.waitUntil(() => server.services.networks.status().every(({ ok }) => ok), 10_000);
});

afterAll(async () => {
  await server.stop();
  await Promise.all([solana.close(), bsc.close()]);
});

async function rpc(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result } = (await response.json()) as { result: unknown };
  return result;
}

test('the sandbox says where its chains are and what is on them', async () => {
  const { data } = await user.call('getSandbox');
  expect(await rpc(data.bsc.rpcUrl, 'eth_chainId', [])).toBe(`0x${data.bsc.chainId.toString(16)}`);
  expect(await rpc(data.solana.rpcUrl, 'getGenesisHash', [])).toBe(data.solana.genesisHash);
  expect(data.solana.tokens.length).toBeGreaterThanOrEqual(4);
  expect(data.bsc.tokens.some((token) => token.taxBps > 0)).toBe(true);
});

describe('the faucet', () => {
  test('grants BNB and tokens, exact to the base unit, by a transaction of the chain', async () => {
    const amount = '1.000000000000000001';
    const { data } = await user.call('faucet', { body: { chain: 'bsc', address: ADDRESS, amount } });
    const { data: sandbox } = await user.call('getSandbox');
    const { rpcUrl, tokens } = sandbox.bsc;
    expect(await rpc(rpcUrl, 'eth_getTransactionReceipt', [data.txId])).toMatchObject({ status: '0x1' });
    expect(BigInt(String(await rpc(rpcUrl, 'eth_getBalance', [ADDRESS, 'latest'])))).toBe(
      1_000_000_000_000_000_001n,
    );

    const [token] = tokens;
    if (!token) throw new Error('the sandbox has tokens');
    const tokenAddress = token.address.toLowerCase();
    await user.call('faucet', { body: { chain: 'bsc', address: ADDRESS, amount: '2.5', tokenAddress } });
    const { data: balances } = await user.call('bscTokenBalances', {
      body: { addresses: [ADDRESS], tokenAddress },
    });
    expect(balances[ADDRESS.toLowerCase()]).toBe('2.5');
  });

  test('grants SOL', async () => {
    const { data: wallet } = await user.call('createWallet', { body: { name: 'w' } });
    const body = { chain: 'solana', address: wallet.public_key, amount: '1.000000001' } as const;
    const { data } = await user.call('faucet', { body });
    expect(data.txId.length).toBeGreaterThan(60);
    expect((await user.call('walletBalances')).data[wallet.public_key]?.sol).toBe('1.000000001');
  });

  test.each([
    ['another chain’s address', { chain: 'solana', address: ADDRESS, amount: '1' }, 'ADDRESS_INVALID'],
    [
      'too many decimals',
      { chain: 'bsc', address: ADDRESS, amount: `0.${'0'.repeat(18)}1` },
      'AMOUNT_TOO_PRECISE',
    ],
    [
      'an unknown token',
      { chain: 'bsc', address: ADDRESS, amount: '1', tokenAddress: ADDRESS },
      'TOKEN_NOT_FOUND',
    ],
    ['more than there is', { chain: 'bsc', address: ADDRESS, amount: '9'.repeat(90) }, 'FAUCET_REFUSED'],
    ['nothing', { chain: 'bsc', address: ADDRESS, amount: '0' }, 'DECIMAL_INVALID'],
    ['a number', { chain: 'bsc', address: ADDRESS, amount: 1 }, 'VALIDATION_FAILED'],
  ])('refuses %s', async (_what, body, code) => {
    const answer = await user.call('faucet', { body: body as never });
    expect(codeOf(answer)).toBe(code);
    expect(answer.status).toBeLessThan(500);
  });
});

test('the weather of one chain changes what is named and leaves the other fair', async () => {
  expect((await user.call('getWeather')).data).toEqual({ solana: FAIR_WEATHER, bsc: FAIR_WEATHER });
  const body = { bsc: { latencyMs: 5, dropSendRate: 0.5 } };
  const stormy = { solana: FAIR_WEATHER, bsc: { ...FAIR_WEATHER, ...body.bsc } };
  expect((await user.call('setWeather', { body })).data).toEqual(stormy);
  expect((await user.call('setWeather', { body: {} })).data).toEqual(stormy);
  await user.call('setWeather', { body: { bsc: FAIR_WEATHER } });
  expect((await user.call('getWeather')).data.bsc).toEqual(FAIR_WEATHER);
});

test('where there is no sandbox, its routes say so', async () => {
  const without = await startTestServer({ isWorking: false });
  const other = await without.registerUser();
  for (const route of ['getSandbox', 'getWeather'] as const) {
    expect(codeOf(await other.call(route))).toBe('SANDBOX_OFF');
  }
  const body = { chain: 'bsc', address: ADDRESS, amount: '1' } as const;
  expect(codeOf(await other.call('faucet', { body }))).toBe('SANDBOX_OFF');
  expect(codeOf(await other.call('setWeather', { body: {} }))).toBe('SANDBOX_OFF');
});
