import { randomBytes } from 'node:crypto';
import type { BodySentTo, DataOf, routes } from '@kervan/contract';
import { parseUnits } from '@kervan/domain';
import { startSolanaSandbox } from '@kervan/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { codeOf, createDataDir, startTestServer, type TestServer, type TestUser } from './harness.ts';

// Fast swaps on the real local chain, as the product makes them.

type Request = BodySentTo<typeof routes.fastSwap>;
type Result = DataOf<typeof routes.fastSwap>;

const SOL = 9;
const SLOT_MS = 400;
const patiently = { timeout: 45_000, interval: 100 };
const symbol = 'KRVN';

let solana: Awaited<ReturnType<typeof startSolanaSandbox>>;
let server: TestServer;
let user: TestUser;
/** Added to the sandbox's clock; it only grows. */
let aheadMs = 0;

beforeAll(async () => {
  solana = await startSolanaSandbox({
    dataDir: await createDataDir(),
    port: 0,
    now: () => Date.now() + aheadMs,
  });
  server = await startTestServer({
    env: { KERVAN_SANDBOX_SOLANA_PORT: `${solana.port}`, KERVAN_SANDBOX_BSC_PORT: '9' },
  });
});

afterAll(async () => {
  await server.stop();
  await solana.close();
});

beforeEach(async () => {
  user = await server.registerUser();
});

afterEach(async () => {
  await user.call('setHalt', { body: { halted: false } });
  await setWeather({});
});

function token() {
  const found = solana.tokens.find((each) => each.symbol === symbol);
  if (!found) throw new Error(`the sandbox has ${symbol}`);
  return found;
}

async function setWeather(weather: object) {
  const fair = { dropSendRate: 0, loseAnswerRate: 0, tooManyRequestsRate: 0, failBundleLeg: null };
  await user.call('setWeather', { body: { solana: { ...fair, ...weather } } });
}

async function addWallets(count: number, sol = '2') {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { data } = await user.call('createWallet', { body: { name: `W${index}` } });
      await user.call('faucet', { body: { chain: 'solana', address: data.public_key, amount: sol } });
      return data;
    }),
  );
}

const buy = (fields: Partial<Request>): Request => ({
  mode: 'buy',
  tokenAddress: token().address,
  percent: 25,
  walletIds: [],
  ...fields,
});

const ask = (body: Request, key: string) =>
  user.call('fastSwap', { body, headers: { 'idempotency-key': key } });

/** Asks, and asks on with the same key until it is final. */
async function swap(body: Request, key: string = randomBytes(8).toString('hex')): Promise<Result> {
  let { data } = await ask(body, key);
  while (!data.isFinal) ({ data } = await ask(body, key));
  return data;
}

const units = (text: string | null | undefined, decimals: number): bigint =>
  parseUnits(text ?? 'none', decimals) ?? -1n;

/** What the user's wallets hold: SOL and the token, in base units. */
async function holdings() {
  const [{ data: native }, { data: tokens }] = await Promise.all([
    user.call('walletBalances'),
    user.call('walletTokenBalances', { query: { tokenAddress: token().address } }),
  ]);
  return (address: string) => ({
    native: units(native[address]?.sol, SOL),
    tokens: units(tokens[address.toLowerCase()] ?? tokens[address], token().decimals),
  });
}

/** Every leg landed, and the wallets hold exactly what the legs say. */
async function expectSettled(result: Result, before: Awaited<ReturnType<typeof holdings>>) {
  const after = await holdings();
  for (const { address, trade } of result.legs) {
    expect(trade?.status).toBe('success');
    const direction = trade?.action === 'buy' ? 1n : -1n;
    const native = units(trade?.amount_sol, SOL);
    const paid = units(trade?.fee, SOL) + units(trade?.tip, SOL) + units(trade?.rent, SOL);
    const tokens = units(trade?.amount_tokens, token().decimals);
    const [was, is] = [before(address), after(address)];
    expect(is.native).toBe(was.native - direction * native - paid);
    expect(is.tokens).toBe(was.tokens + direction * tokens);
  }
}

/** The slots in which the swap's transactions landed, by the chain's own word. */
async function slotsOf({ signatures }: Result): Promise<Set<number>> {
  const answer = await fetch(solana.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getSignatureStatuses',
      params: [signatures.map((each) => each.replace('bundle:', ''))],
    }),
  });
  const { result } = (await answer.json()) as {
    result: { value: ({ slot: number; err: unknown } | null)[] };
  };
  for (const status of result.value) expect(status?.err).toBeNull();
  return new Set(result.value.map((status) => status?.slot ?? -1));
}

test('five wallets buy a part of their SOL and sell everything, each time as one bundle in one slot', async () => {
  const walletIds = (await addWallets(5)).map(({ id }) => id);
  const before = await holdings();
  const bought = await swap(buy({ walletIds }));
  expect(bought).toMatchObject({ isFinal: true, failed: [] });
  expect(bought.signatures.every((each) => each.startsWith('bundle:'))).toBe(true);
  expect(bought.legs.map(({ walletId }) => walletId)).toEqual(walletIds);
  for (const { trade, isAtomic } of bought.legs) {
    expect(trade).toMatchObject({ amount_in: '0.5', amount_sol: '0.5' });
    expect(isAtomic).toBe(true);
  }
  expect(bought.legs.map(({ trade }) => trade?.tip)).toEqual(['0', '0', '0', '0', '0.00001']);
  expect((await slotsOf(bought)).size).toBe(1);
  await expectSettled(bought, before);

  const between = await holdings();
  const sold = await swap(buy({ mode: 'sell', percent: 100, walletIds }));
  expect(sold.failed).toEqual([]);
  expect((await slotsOf(sold)).size).toBe(1);
  await expectSettled(sold, between);
  const after = await holdings();
  for (const { address } of sold.legs) expect(after(address).tokens).toBe(0n);
});

test('100 percent of the SOL keeps what fees, deposits and the tip need', async () => {
  const walletIds = (await addWallets(3)).map(({ id }) => id);
  const result = await swap(buy({ walletIds, percent: 100 }));
  expect(result.failed).toEqual([]);
  const after = await holdings();
  for (const { address } of result.legs) {
    expect(after(address).native).toBeGreaterThan(0n);
    expect(after(address).native).toBeLessThan(units('0.01', SOL));
  }
  // What was kept pays for selling again.
  expect((await swap(buy({ mode: 'sell', walletIds, percent: 100 }))).failed).toEqual([]);
});

test('with one failing leg none lands; the same bytes land together once it no longer fails', async () => {
  const walletIds = (await addWallets(5)).map(({ id }) => id);
  const before = await holdings();
  await setWeather({ failBundleLeg: 2 });
  const { data: first } = await ask(buy({ walletIds }), 'failing');
  expect(first).toMatchObject({ isFinal: false, signatures: [], failed: [] });
  expect(first.legs.map(({ trade }) => trade?.status)).toEqual(Array(5).fill('pending'));
  const between = await holdings();
  for (const { address } of first.legs) expect(between(address)).toEqual(before(address));

  await setWeather({});
  const result = await swap(buy({ walletIds }), 'failing');
  expect(result).toMatchObject({ id: first.id, failed: [] });
  expect((await slotsOf(result)).size).toBe(1);
  const attempts = await attemptsOf(result);
  expect(attempts.map(({ state }) => state)).toEqual(Array(5).fill('landed'));
  await expectSettled(result, before);
});

test('a bundle that fails until its time is over has landed nothing, and all five say so', async () => {
  const walletIds = (await addWallets(5)).map(({ id }) => id);
  const before = await holdings();
  await setWeather({ failBundleLeg: 0 });
  const asking = swap(buy({ walletIds }), 'doomed');
  for (let rounds = 1; rounds <= 5; rounds++) {
    await vi.waitUntil(async () => {
      const rows = server.db.selectFrom('trade_attempts').select('id').where('number', '=', rounds);
      return (await rows.where('state', '=', 'live').execute()).length === 5;
    }, patiently);
    // Every blockhash handed out so far expires, finally too.
    aheadMs += 200 * SLOT_MS;
  }
  const result = await asking;
  expect(result.signatures).toEqual([]);
  expect(result.failed.map(({ walletId }) => walletId)).toEqual(walletIds);
  for (const { trade, error } of result.legs) {
    expect(trade?.status).toBe('failed');
    expect(error?.code).toBe('BUNDLE_NOT_LANDED');
  }
  const after = await holdings();
  for (const { address } of result.legs) expect(after(address)).toEqual(before(address));
});

async function attemptsOf({ legs }: Result) {
  return await server.db
    .selectFrom('trade_attempts')
    .selectAll()
    .where(
      'trade_id',
      'in',
      legs.map(({ trade }) => trade?.id ?? ''),
    )
    .execute();
}

test('a wallet that can’t trade is told why, and the others go on as a bundle', async () => {
  const rich = await addWallets(2);
  const [poor] = await addWallets(1, '0.001');
  const walletIds = [rich[0]?.id ?? '', poor?.id ?? '', rich[1]?.id ?? ''];
  const result = await swap(buy({ walletIds }));
  expect(result.signatures).toHaveLength(2);
  expect((await slotsOf(result)).size).toBe(1);
  expect(result.failed).toEqual([{ walletId: poor?.id, error: expect.stringContaining('0.001 SOL') }]);
  expect(result.legs[1]).toMatchObject({ trade: null, error: { code: 'BALANCE_INSUFFICIENT' } });
});

test('one wallet alone needs no bundle', async () => {
  const [wallet] = await addWallets(1);
  const result = await swap(buy({ walletIds: [wallet?.id ?? '', wallet?.id ?? ''] }));
  expect(result.failed).toEqual([]);
  expect(result.signatures[0]).not.toContain('bundle:');
  expect(result.legs).toMatchObject([{ isAtomic: false, trade: { tip: '0' } }]);
});

test('the same key again is the same fast swap, at once or later; with another order it is refused', async () => {
  const walletIds = (await addWallets(3)).map(({ id }) => id);
  const body = buy({ walletIds });
  const results = await Promise.all(Array.from({ length: 4 }, () => swap(body, 'double-click')));
  expect(new Set(results.map(({ id }) => id)).size).toBe(1);
  // Left blank or written out, the slippage is the same.
  expect(await swap({ ...body, slippageBps: 25 }, 'double-click')).toEqual(results[0]);
  const { data: list } = await user.call('listTrades', { query: { source: 'fast-swap' } });
  expect(list.total).toBe(3);
  expect(codeOf(await ask({ ...body, percent: 26 }, 'double-click'))).toBe('IDEMPOTENCY_KEY_REUSED');
  expect(codeOf(await ask({ ...body, mode: 'sell' }, 'double-click'))).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('a limit refuses the wallets that it holds for, and the rest lands together', async () => {
  const wallets = await addWallets(2);
  const [small] = await addWallets(1, '1');
  await user.call('updateSettings', {
    body: { solana: { limits: { maxNativePerTrade: 0.3, maxNativePerWalletPerDay: null } } },
  });
  const walletIds = [...wallets.map(({ id }) => id), small?.id ?? ''];
  const { data: preview } = await user.call('previewFastSwap', { body: buy({ walletIds }) });
  expect(preview.legs.map(({ error }) => error?.code)).toEqual([
    'LIMIT_PER_TRADE',
    'LIMIT_PER_TRADE',
    undefined,
  ]);
  const result = await swap(buy({ walletIds }));
  expect(result.legs.map(({ error }) => error?.code)).toEqual([
    'LIMIT_PER_TRADE',
    'LIMIT_PER_TRADE',
    undefined,
  ]);
  expect(result.signatures).toHaveLength(1);
  await user.call('setHalt', { body: { halted: true } });
  expect(codeOf(await user.call('fastSwap', { body: buy({ walletIds }) }))).toBe('TRADING_HALTED');
});

test('a preview says what comes in the end, and writes nothing', async () => {
  const walletIds = (await addWallets(3, '40')).map(({ id }) => id);
  const body = buy({ walletIds, slippageBps: 50 });
  const { data: preview } = await user.call('previewFastSwap', { body });
  expect(preview).toMatchObject({ chain: 'solana', network: 'sandbox', slippageBps: 50, gasPrice: null });
  expect(preview.legs.map(({ tip }) => tip)).toEqual(['0', '0', '0.00001']);
  for (const leg of preview.legs)
    expect(leg).toMatchObject({ amountIn: '10', isAtomic: true, needsApproval: false, error: null });
  const written = await server.db
    .selectFrom('fast_swaps')
    .select('id')
    .where('user_id', '=', user.id)
    .execute();
  expect(written).toEqual([]);

  const result = await swap(body);
  for (const [index, { trade }] of result.legs.entries()) {
    const leg = preview.legs[index];
    expect(units(trade?.amount_tokens, token().decimals)).toBeGreaterThanOrEqual(
      units(leg?.minimumOut, token().decimals),
    );
    expect(trade).toMatchObject({ fee: leg?.fee, tip: leg?.tip, rent: leg?.rent });
  }
});

test('what can’t be a fast swap is refused with the field', async () => {
  const walletIds = (await addWallets(1)).map(({ id }) => id);
  const refused = async (fields: object) => {
    const { error, status } = await user.call('fastSwap', { body: { ...buy({ walletIds }), ...fields } });
    return [status, error?.code, error?.context['field']];
  };
  expect(await refused({ walletIds: [] })).toEqual([400, 'FAST_SWAP_WALLETS_REQUIRED', 'walletIds']);
  expect(await refused({ walletIds: Array(6).fill(walletIds[0]) })).toEqual([
    400,
    'VALIDATION_FAILED',
    'walletIds',
  ]);
  expect(await refused({ percent: 0 })).toEqual([400, 'VALIDATION_FAILED', 'percent']);
  expect(await refused({ percent: 101 })).toEqual([400, 'VALIDATION_FAILED', 'percent']);
  expect(await refused({ slippageBps: 2.5 })).toEqual([400, 'VALIDATION_FAILED', 'slippageBps']);
  expect(await refused({ mode: 'hold' })).toEqual([400, 'VALIDATION_FAILED', 'mode']);
  expect(await refused({ tokenAddress: '0x12' })).toEqual([400, 'TOKEN_ADDRESS_INVALID', 'tokenAddress']);
  expect(await refused({ gasPrice: 'fast' })).toEqual([400, 'VALIDATION_FAILED', 'gasPrice']);
  const { data: bscWallet } = await user.call('createBscWallet', { body: { name: 'Other chain' } });
  expect((await refused({ walletIds: [bscWallet.id] }))[1]).toBe('WALLET_NOT_FOUND');
  const stranger = await server.registerUser();
  expect(codeOf(await stranger.call('fastSwap', { body: buy({ walletIds }) }))).toBe('WALLET_NOT_FOUND');
  const nothing = '1'.repeat(31) + '2';
  expect((await refused({ tokenAddress: nothing })).slice(0, 2)).toEqual([404, 'TOKEN_NOT_FOUND']);
});

test('20 wallets in four batches through bad weather: every batch in one slot, nobody twice', async () => {
  const walletIds = (await addWallets(20)).map(({ id }) => id);
  const before = await holdings();
  await setWeather({ dropSendRate: 0.3, loseAnswerRate: 0.3, tooManyRequestsRate: 0.05 });
  const results: Result[] = [];
  for (let start = 0; start < walletIds.length; start += 5)
    results.push(await swap(buy({ walletIds: walletIds.slice(start, start + 5), slippageBps: 100 })));
  await setWeather({});
  for (const result of results) {
    expect(result.failed).toEqual([]);
    expect((await slotsOf(result)).size).toBe(1);
    await expectSettled(result, before);
  }
});
