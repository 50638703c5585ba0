import { randomBytes } from 'node:crypto';
import type { BodySentTo, DataOf, routes } from '@kervan/contract';
import { parseUnits } from '@kervan/domain';
import { startBscSandbox } from '@kervan/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

// Fast swaps on the real local chain, as the product makes them.

type Request = BodySentTo<typeof routes.bscFastSwap>;
type Result = DataOf<typeof routes.bscFastSwap>;

const BNB = 18;
const patiently = { timeout: 45_000, interval: 200 };
let bsc: Awaited<ReturnType<typeof startBscSandbox>>;
let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  bsc = await startBscSandbox({ dataDir: await createDataDir(), port: 0 });
  server = await startTestServer({
    env: { KERVAN_SANDBOX_SOLANA_PORT: '9', KERVAN_SANDBOX_BSC_PORT: `${bsc.port}` },
  });
});

afterAll(async () => {
  await server.stop();
  await bsc.close();
});

beforeEach(async () => {
  user = await server.registerUser();
});

afterEach(async () => {
  await user.call('setHalt', { body: { halted: false } });
  await setWeather({});
});

function token(symbol: string) {
  const found = bsc.tokens.find((each) => each.symbol === symbol);
  if (!found) throw new Error(`the sandbox has ${symbol}`);
  return found;
}

async function setWeather(weather: object) {
  const fair = { latencyMs: 0, tooManyRequestsRate: 0, dropSendRate: 0, loseAnswerRate: 0 };
  await user.call('setWeather', { body: { bsc: { ...fair, ...weather } } });
}

async function fund(address: string, amount: string, symbol?: string) {
  const tokenAddress = symbol === undefined ? undefined : token(symbol).address;
  await user.call('faucet', {
    body: { chain: 'bsc', address, amount, ...(tokenAddress !== undefined && { tokenAddress }) },
  });
}

async function addWallets(count: number, bnb = '1') {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { data } = await user.call('createBscWallet', { body: { name: `W${index}` } });
      await fund(data.address, bnb);
      return data;
    }),
  );
}

/** A key as a person pastes it, of an account with BNB. */
async function pastedKey(bnb = '1') {
  const { address, secret } = await server.services.networks.keys('bsc').createKey();
  await fund(address, bnb);
  return { key: Buffer.from(secret).toString('hex'), address };
}

const buy = (fields: Partial<Request>): Request => ({
  mode: 'buy',
  tokenAddress: token('sUSD').address,
  percent: 25,
  ...fields,
});

/** Asks, and asks on with the same key until it is final. */
async function swap(body: Request, key: string = randomBytes(8).toString('hex')): Promise<Result> {
  const ask = () => user.call('bscFastSwap', { body, headers: { 'idempotency-key': key } });
  let { data } = await ask();
  while (!data.isFinal) ({ data } = await ask());
  return data;
}

async function balances(addresses: readonly string[], symbol?: string): Promise<Map<string, bigint>> {
  const { data } =
    symbol === undefined
      ? await user.call('bscBalances', { query: { addresses: addresses.join(',') } })
      : await user.call('bscTokenBalances', {
          body: { addresses: [...addresses], tokenAddress: token(symbol).address },
        });
  const decimals = symbol === undefined ? BNB : token(symbol).decimals;
  return new Map(addresses.map((each) => [each, units(data[each.toLowerCase()] ?? null, decimals)]));
}

const units = (text: string | null, decimals: number): bigint => parseUnits(text ?? 'none', decimals) ?? -1n;

/** What the addresses hold: BNB, and one token. */
async function holdings(addresses: readonly string[], symbol = 'sUSD') {
  const [native, tokens] = await Promise.all([balances(addresses), balances(addresses, symbol)]);
  return { native, tokens };
}

/** Every leg landed, and the wallets hold exactly what the legs say. */
async function expectSettled(result: Result, before: Awaited<ReturnType<typeof holdings>>, symbol = 'sUSD') {
  const after = await holdings(
    result.legs.map(({ address }) => address),
    symbol,
  );
  for (const { address, trade } of result.legs) {
    expect(trade?.status).toBe('success');
    const direction = trade?.action === 'buy' ? 1n : -1n;
    const native = units(trade?.amount_sol ?? null, BNB);
    const tokens = units(trade?.amount_tokens ?? null, token(symbol).decimals);
    const fee = units(trade?.fee ?? null, BNB);
    expect(after.native.get(address)).toBe((before.native.get(address) ?? -1n) - direction * native - fee);
    expect(after.tokens.get(address)).toBe((before.tokens.get(address) ?? -1n) + direction * tokens);
  }
}

describe.each(['v2', 'v3'] as const)('through %s', (pancakeSwapVersion) => {
  test('stored wallets buy a part of their BNB and sell everything, to the base unit', async () => {
    const wallets = await addWallets(3);
    const walletIds = wallets.map(({ id }) => id);
    const addresses = wallets.map(({ address }) => address);
    const before = await holdings(addresses);
    const bought = await swap(buy({ walletIds, pancakeSwapVersion }));
    expect(bought).toMatchObject({ isFinal: true, failed: [] });
    expect(bought.signatures).toHaveLength(3);
    for (const { trade } of bought.legs) expect(trade?.amount_in).toBe('0.25');
    await expectSettled(bought, before);

    const between = await holdings(addresses);
    const sold = await swap(buy({ mode: 'sell', percent: 100, walletIds, pancakeSwapVersion }));
    expect(sold.failed).toEqual([]);
    await expectSettled(sold, between);
    for (const left of (await balances(addresses, 'sUSD')).values()) expect(left).toBe(0n);
  });
});

test('100 percent of the BNB keeps what gas needs, and a token that taxes transfers is traded all the same', async () => {
  const [wallet] = await addWallets(1);
  if (!wallet) throw new Error('unreachable');
  const tokenAddress = token('sTAX').address;
  const bought = await swap(buy({ tokenAddress, percent: 100, walletIds: [wallet.id], slippageBps: 3 }));
  expect(bought.failed).toEqual([]);
  const left = (await balances([wallet.address])).get(wallet.address) ?? 0n;
  expect(left).toBeGreaterThan(0n);
  expect(left).toBeLessThan(units('0.01', BNB));
  await fund(wallet.address, '0.1');
  const sold = await swap(
    buy({ tokenAddress, mode: 'sell', percent: 100, walletIds: [wallet.id], slippageBps: 3 }),
  );
  expect(sold.failed).toEqual([]);
  expect((await balances([wallet.address], 'sTAX')).get(wallet.address)).toBe(0n);
});

test('pasted keys trade beside stored wallets, one leg an address, and are forgotten', async () => {
  const [stored] = await addWallets(1);
  const [pasted, imported] = await Promise.all([pastedKey(), pastedKey()]);
  const { data: wallet } = await user.call('createBscWallet', {
    body: { name: 'Imported', privateKeyHex: imported.key },
  });
  if (!stored) throw new Error('unreachable');
  const before = await holdings([stored.address, pasted.address, imported.address]);
  const body = buy({
    walletIds: [stored.id, stored.id],
    // The same key in two spellings, and one that is a stored wallet's.
    privateKeys: [pasted.key, `0x${pasted.key.toUpperCase()}`, imported.key],
  });
  const result = await swap(body);
  expect(result.legs.map(({ walletId, address }) => [walletId, address])).toEqual([
    [stored.id, stored.address],
    [null, pasted.address],
    [wallet.id, imported.address],
  ]);
  expect(result.failed).toEqual([]);
  await expectSettled(result, before);
  expect(result.legs[1]?.trade).toMatchObject({ wallet_id: null, wallet_name: pasted.address });

  const sold = await swap(buy({ mode: 'sell', percent: 50, privateKeys: [pasted.key] }));
  expect(sold.failed).toEqual([]);
  expect(sold.signatures).toHaveLength(1);

  const rows = await server.db.selectFrom('trades').selectAll().execute();
  const attempts = await server.db.selectFrom('trade_attempts').selectAll().execute();
  const requests = await server.db.selectFrom('fast_swaps').selectAll().execute();
  const everything = JSON.stringify([rows, attempts, requests], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(everything).toContain(pasted.address);
  expect(`${everything}${server.logged()}`.toLowerCase()).not.toContain(pasted.key);
});

test('a wallet that can’t trade is told why, and the others go on', async () => {
  const [rich, poor] = [await addWallets(1), await addWallets(1, '0.0000001')].flat();
  if (!rich || !poor) throw new Error('unreachable');
  const result = await swap(buy({ walletIds: [poor.id, rich.id] }));
  expect(result.signatures).toHaveLength(1);
  expect(result.failed).toEqual([{ walletId: poor.id, error: expect.stringContaining('0.0000001 BNB') }]);
  expect(result.legs[0]).toMatchObject({ trade: null, error: { code: 'BALANCE_INSUFFICIENT' } });
});

test('the same key again is the same fast swap, at once or later; with another order it is refused', async () => {
  const wallets = await addWallets(4);
  const pasted = await pastedKey();
  const body = buy({ walletIds: wallets.map(({ id }) => id), privateKeys: [pasted.key] });
  const results = await Promise.all(Array.from({ length: 4 }, () => swap(body, 'double-click')));
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  const again = await swap({ ...body, privateKeys: [`0x${pasted.key}`] }, 'double-click');
  expect(again).toEqual(results[0]);
  const { data: found } = await user.call('getFastSwap', { params: { id: again.id } });
  expect(found).toEqual(again);
  const { data: list } = await user.call('listTrades', { query: { source: 'fast-swap' } });
  expect(list.total).toBe(5);

  const other = await user.call('bscFastSwap', {
    body: { ...body, percent: 26 },
    headers: { 'idempotency-key': 'double-click' },
  });
  expect(codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
  const stranger = await server.registerUser();
  expect(codeOf(await stranger.call('getFastSwap', { params: { id: again.id } }))).toBe(
    'FAST_SWAP_NOT_FOUND',
  );
});

test('limits hold for stored wallets and pasted keys alike, and a halt refuses all of it', async () => {
  const wallets = await addWallets(2);
  const pasted = await pastedKey();
  const body = buy({ walletIds: wallets.map(({ id }) => id), privateKeys: [pasted.key] });
  await user.call('updateSettings', {
    body: { bsc: { limits: { maxNativePerTrade: null, maxNativePerWalletPerDay: 0.3 } } },
  });
  expect((await swap(body)).failed).toEqual([]);
  const preview = await user.call('previewBscFastSwap', { body });
  for (const leg of preview.data.legs) expect(leg.error?.code).toBe('LIMIT_PER_WALLET_DAY');
  const second = await swap(body);
  expect(second.failed).toHaveLength(3);
  for (const leg of second.legs) expect(leg.error?.code).toBe('LIMIT_PER_WALLET_DAY');

  await user.call('setHalt', { body: { halted: true } });
  const halted = await user.call('previewBscFastSwap', { body: buy({ privateKeys: [pasted.key] }) });
  expect(halted.data.legs[0]?.error?.code).toBe('TRADING_HALTED');
  expect(codeOf(await user.call('bscFastSwap', { body: buy({ privateKeys: [pasted.key] }) }))).toBe(
    'TRADING_HALTED',
  );
});

test('a preview says what comes in the end, and writes nothing', async () => {
  const wallets = await addWallets(2);
  const walletIds = wallets.map(({ id }) => id);
  const body = buy({ walletIds, gasPrice: 2.5 });
  const { data: preview } = await user.call('previewBscFastSwap', { body });
  expect(preview).toMatchObject({ chain: 'bsc', network: 'sandbox', slippageBps: 100, gasPrice: '2.5' });
  for (const leg of preview.legs) {
    expect(leg).toMatchObject({ amountIn: '0.25', needsApproval: false, error: null, rent: '0', tip: '0' });
    expect(leg.priceImpactBps).toBeTypeOf('number');
  }
  expect(
    await server.db.selectFrom('fast_swaps').selectAll().where('user_id', '=', user.id).execute(),
  ).toEqual([]);

  const bought = await swap(body);
  const [expected, landed] = [preview.legs[0], bought.legs[0]?.trade];
  expect(units(landed?.amount_tokens ?? null, 18)).toBeGreaterThanOrEqual(
    units(expected?.minimumOut ?? null, 18),
  );
  expect(units(landed?.fee ?? null, BNB)).toBeLessThanOrEqual(units(expected?.fee ?? null, BNB));

  const sell = await user.call('previewBscFastSwap', {
    body: buy({ mode: 'sell', percent: 100, walletIds }),
  });
  const [leg] = sell.data.legs;
  expect(leg).toMatchObject({ needsApproval: true, error: null, amountIn: landed?.amount_tokens });
  const sold = await swap(buy({ mode: 'sell', percent: 100, walletIds }));
  expect(units(sold.legs[0]?.trade?.fee ?? null, BNB)).toBeLessThanOrEqual(units(leg?.fee ?? null, BNB));
});

test('a gas tier and a price of one’s own are what the transactions pay', async () => {
  const { data: prices } = await user.call('bscGasPrices');
  expect(prices).toMatchObject({ standard: '1', fast: '1.1', instant: '1.25' });
  const [wallet] = await addWallets(1);
  if (!wallet) throw new Error('unreachable');
  for (const [gasPrice, paid] of [
    ['instant', 1_250_000_000n],
    [0.1, 100_000_000n],
    [undefined, 1_100_000_000n],
  ] as const) {
    const result = await swap(
      buy({ walletIds: [wallet.id], percent: 5, ...(gasPrice !== undefined && { gasPrice }) }),
    );
    expect(result.failed).toEqual([]);
    const attempts = await server.db
      .selectFrom('trade_attempts')
      .select('gas_price_units')
      .where('trade_id', '=', result.legs[0]?.trade?.id ?? '')
      .execute();
    expect(attempts).toEqual([{ gas_price_units: paid }]);
  }
});

test('what can’t be a fast swap is refused, without a word of the key', async () => {
  const key = randomBytes(32).toString('hex');
  const refused = async (body: Request) => {
    const { error } = await user.call('bscFastSwap', { body });
    expect(JSON.stringify(error)).not.toContain(key.slice(0, 20));
    return [error?.code, error?.context['field']];
  };
  expect(await refused(buy({}))).toEqual(['FAST_SWAP_WALLETS_REQUIRED', 'walletIds']);
  expect(await refused(buy({ privateKeys: [key, `${key}00`] }))).toEqual([
    'PRIVATE_KEY_HEX_INVALID',
    'privateKeys.1',
  ]);
  expect(await refused(buy({ privateKeys: [key, '0'.repeat(64)] }))).toEqual([
    'PRIVATE_KEY_HEX_INVALID',
    'privateKeys.1',
  ]);
  expect(await refused(buy({ privateKeys: [key], gasPrice: 0.05 }))).toMatchObject([
    'VALIDATION_FAILED',
    'gasPrice',
  ]);
  const [theirs] = await addWallets(1);
  const other = await server.registerUser();
  const { error } = await other.call('bscFastSwap', { body: buy({ walletIds: [theirs?.id ?? ''] }) });
  expect(error?.code).toBe('WALLET_NOT_FOUND');
});

test('100 wallets at once in bad weather: all are resolved and none has traded twice', async () => {
  const wallets = await addWallets(70);
  const pasted = await Promise.all(Array.from({ length: 30 }, () => pastedKey()));
  const body = buy({
    walletIds: wallets.map(({ id }) => id),
    privateKeys: pasted.map(({ key }) => key),
    slippageBps: 20,
  });
  const addresses = [...wallets, ...pasted].map(({ address }) => address);
  const before = await holdings(addresses);
  await setWeather({ tooManyRequestsRate: 0.1, dropSendRate: 0.1, loseAnswerRate: 0.1, latencyMs: 5 });
  const result = await vi.waitFor(async () => {
    const { data } = await user.call('bscFastSwap', { body, headers: { 'idempotency-key': 'storm' } });
    expect(data.isFinal).toBe(true);
    return data;
  }, patiently);
  await setWeather({});
  expect(result.legs).toHaveLength(100);
  expect(result.failed).toEqual([]);
  expect(new Set(result.signatures).size).toBe(100);
  // To the base unit: a second landing of any of them would show in its wallet.
  await expectSettled(result, before);
});
