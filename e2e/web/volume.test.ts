import { HISTORY_PAGE_SIZE, NATIVE, routes, type Chain, type Trade } from '@kervan/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ApiClient } from '../lib/api-client.ts';
import { units } from '../lib/bad-days.ts';
import { bscFlows, solanaFlows } from '../lib/chain-flows.ts';
import { bscRecord, solanaRecord } from '../lib/chain-record.ts';
import { apiOf } from './lib/api-of.ts';
import { createInspector, type Inspector } from './lib/inspect.ts';
import { createPerson, type Person } from './lib/person.ts';
import { startProduct, type Look, type Product } from './lib/product.ts';
import { addGeneratedWallet, fund } from './lib/steps.ts';
import { fillVolumeForm, goToVolume, pressAndConfirm, section, volumeForm } from './lib/volume-steps.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('volume');
});

afterAll(() => product.close());

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
/** Turns come every 5 s. */
const TRADING_MS = 40_000;
const DRAINING_MS = 60_000;
/** Four wallets take two turns of five seconds each. */
const CYCLE_MS = 120_000;
const STEP = { timeout: 20_000 };

const sessions: (Look & { chain: Chain })[] = [
  { chain: 'solana', device: 'desktop', language: 'en' },
  { chain: 'bsc', device: 'phone', language: 'tr' },
];

test.concurrent.for(sessions)(
  'a $chain session is started, watched, stopped, and its account is the chain’s: $device, $language',
  { timeout: 240_000 },
  async ({ chain, ...look }, { expect }) => {
    const person = await createPerson(product, look);
    const { words, button, field, page } = person;
    await person.register(`volume ${chain}`);
    await person.goToWallets(chain);
    await addGeneratedWallet(person, chain, 'master');
    await fund(person, chain, 'master');
    const api = await apiOf(product, person);
    const sandbox = await api.call(routes.getSandbox);
    const record = chain === 'solana' ? solanaRecord(sandbox.solana.rpcUrl) : bscRecord(sandbox.bsc.rpcUrl);
    const master = await storedMaster(api, chain);
    const before = await record.native(master.address);

    await goToVolume(person, chain);
    const form = volumeForm(person);
    expect(await button('volume:start', {}, form).isDisabled()).toBe(true);
    await fillVolumeForm(person, chain);
    await field('volume:master', form).selectOption(master.id);
    await pressAndConfirm(person, 'volume:start');
    await form.waitFor({ state: 'detached' });

    const wallets = section(person, words.of('volume:active_wallets')).getByRole('listitem');
    await expect.poll(() => wallets.count()).toBe(4);
    const trades = section(person, words.of('volume:recent_trades')).getByRole('listitem');
    const confirmed = trades.filter({ hasText: words.of('volume:trade_status.success') });
    await expect.poll(() => confirmed.count(), { timeout: TRADING_MS }).toBeGreaterThanOrEqual(2);
    const shownId = await sessionId(person);

    // A page that is loaded anew finds the session where it is.
    await page.reload();
    const inspector = await createInspector(person, `volume-${chain}`);
    await goToVolume(person, chain);
    await expect.poll(() => confirmed.count(), { timeout: TRADING_MS }).toBeGreaterThanOrEqual(3);
    expect(await sessionId(person)).toBe(shownId);
    expect(await form.count()).toBe(0);
    await page.getByText(words.of('volume:active.trading'), { exact: true }).waitFor();
    // Every wallet has bought and sold once, and they begin anew.
    const cycle = page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${words.of('volume:cycle')}$`) })
      .locator('xpath=following-sibling::dd[1]');
    await expect
      .poll(async () => Number(await cycle.textContent()), { timeout: CYCLE_MS })
      .toBeGreaterThan(1);
    expect(Number(await stat(person, 'volume:trades'))).toBeGreaterThanOrEqual(3);
    expect(await stat(person, 'volume:volume')).toMatch(/[1-9]/);

    await inspector.look('running');

    await pressAndConfirm(person, 'volume:stop');
    await form.waitFor({ timeout: DRAINING_MS });
    await button('volume:account_of', { name: shownId }).click();
    await page.getByText(words.of('volume:account_rule'), { exact: true }).waitFor();
    await inspector.look('account');

    const native = async (key: string): Promise<bigint> => {
      const fact = page
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${words.of(`volume:account_of_session.${key}`)}$`) })
        .locator('xpath=following-sibling::dd[1]');
      const value = await fact.locator('[data-value]').getAttribute('data-value');
      return units(value ?? '', NATIVE[chain].decimals);
    };
    const [funded, fees, priceLoss, left, recovered, masterFees] = (await Promise.all(
      ['funded', 'fees', 'priceLoss', 'left', 'recovered', 'masterFees'].map(native),
    )) as [bigint, bigint, bigint, bigint, bigint, bigint];
    const session = await findSession(api, chain, shownId);
    const purses = session.wallets.map(({ address }) => address);
    const landed = await record.landedBy([master.address, ...purses]);
    const flows =
      chain === 'solana'
        ? await solanaFlows(sandbox.solana.rpcUrl, landed)
        : await bscFlows(sandbox.bsc.rpcUrl, landed, sandbox.bsc.contracts.wbnb);
    expect(funded).toBeGreaterThan(0n);
    expect(left).toBe(0n);
    expect(funded - fees - priceLoss).toBe(recovered);
    expect({ feeUnits: fees + masterFees, poolUnits: priceLoss, depositUnits: 0n }).toEqual(flows);
    expect(before - (await record.native(master.address))).toBe(masterFees + fees + priceLoss);
    for (const address of purses) {
      expect(await record.native(address)).toBe(0n);
      expect(await record.tokens(address, session.tokenAddress)).toBe(0n);
    }

    const { trades: own } = await api.call(routes.listTrades, { query: { source: 'volume', limit: 200 } });
    expect(own.filter(({ status }) => status === 'success')).toHaveLength(session.totalTrades);
    await findInHistory(person, own, inspector);
    await drainAgain(person, chain);
    expect(inspector.faults).toEqual([]);
    expect(person.complaints).toEqual([]);
  },
);

test.concurrent('a pasted key is masked, and gone from the page once it was sent', async ({ expect }) => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { words, button, field, page } = person;
  await person.register('volume key');
  await goToVolume(person, 'bsc');
  const form = volumeForm(person);
  await form.getByText(words.of('volume:no_stored'), { exact: true }).waitFor();
  await form.getByText(words.of('volume:funding_key'), { exact: true }).click();
  const key = field('volume:master_key', form);
  expect(await key.getAttribute('type')).toBe('password');
  expect(await key.getAttribute('placeholder')).toBe('0x...');
  await fillVolumeForm(person, 'bsc');
  const secret = `0x${'5b'.repeat(32)}`;
  await key.fill(secret);
  await pressAndConfirm(person, 'volume:start');
  // Nothing lies at that key's address.
  const failure = page.getByRole('alert').filter({ hasText: 'The master wallet has 0 BNB' });
  await failure.getByText(words.of('volume:error'), { exact: true }).waitFor();
  await failure.getByText('Failed to start BSC volume making', { exact: true }).waitFor();
  expect(await key.inputValue()).toBe('');
  expect(await button('volume:start', {}, form).isDisabled()).toBe(true);
  const kept = await page.evaluate<string>(
    'JSON.stringify([localStorage, sessionStorage, document.body.innerHTML])',
  );
  expect(kept).not.toContain('5b5b5b5b');
});

test.concurrent('on a live network nothing can be started, and the form says why', async ({ expect }) => {
  const person = await createPerson(product, { device: 'desktop', language: 'tr', scheme: 'light' });
  const { words, button, page } = person;
  await person.register('volume live');
  const api = await apiOf(product, person);
  await api.call(routes.updateSettings, {
    body: { solana: { network: 'mainnet' }, bsc: { network: 'mainnet' } },
  });
  await page.reload();
  const inspector = await createInspector(person, 'volume-live');
  for (const chain of CHAINS) {
    await goToVolume(person, chain);
    await page.getByText(words.of('volume:live'), { exact: true }).waitFor();
    const form = volumeForm(person);
    expect(await button('volume:start', {}, form).isDisabled()).toBe(true);
    const fields = form.getByRole('textbox').or(form.getByRole('combobox')).or(form.getByRole('radio'));
    expect(await fields.count()).toBeGreaterThanOrEqual(7);
    for (const each of await fields.all()) expect(await each.isDisabled()).toBe(true);
    await inspector.look(chain);
  }
  expect(inspector.faults).toEqual([]);
});

test.concurrent('the history goes page by page', async ({ expect }) => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { words, button, field, page } = person;
  await person.register('volume history');
  const api = await apiOf(product, person);
  await tradeByBot(api, HISTORY_PAGE_SIZE + 1);
  await person.goTo('vmhistory');
  await page.getByText(words.of('history:empty'), { exact: true }).waitFor();
  await field('history:filter.source').selectOption('bot');
  const details = page.getByRole('button', { name: words.like('history:details_of') });
  await page.getByText(words.of('common:pages.showing', { page: 1, pages: 2 }), { exact: true }).waitFor();
  expect(await details.count()).toBe(HISTORY_PAGE_SIZE);
  await button('common:pages.next').click();
  await expect.poll(() => details.count()).toBe(1);
  expect(await button('common:pages.next').isDisabled()).toBe(true);
  // Another filter begins with its first page.
  await field('history:filter.action').selectOption('buy');
  await page.getByText(words.of('common:pages.showing', { page: 1, pages: 2 }), { exact: true }).waitFor();
  expect(person.complaints).toEqual([]);
});

async function storedMaster(api: ApiClient, chain: Chain): Promise<{ id: string; address: string }> {
  const [wallet] =
    chain === 'solana' ? await api.call(routes.listWallets) : await api.call(routes.listBscWallets);
  if (!wallet) throw new Error(`no ${chain} wallet is stored`);
  return { id: wallet.id, address: 'public_key' in wallet ? wallet.public_key : wallet.address };
}

/** The session of that short name, with its account. */
async function findSession(api: ApiClient, chain: Chain, shownId: string) {
  const isSolana = chain === 'solana';
  const all = await api.call(isSolana ? routes.listVolumeSessions : routes.listBscVolumeSessions);
  const id = all.find(({ sessionId }) => sessionId.startsWith(shownId))?.sessionId;
  if (id === undefined) throw new Error(`there is no session ${shownId}`);
  return await api.call(isSolana ? routes.getVolumeSession : routes.getBscVolumeSession, { params: { id } });
}

async function tradeByBot(api: ApiClient, count: number): Promise<void> {
  const { bsc } = await api.call(routes.getSandbox);
  const wallet = await api.call(routes.createBscWallet, { body: { name: 'purse' } });
  await api.call(routes.faucet, { body: { chain: 'bsc', address: wallet.address, amount: '1' } });
  const { id } = await api.call(routes.createBscBot, {
    body: {
      name: 'buyer',
      wallet_id: wallet.id,
      action: 'buy',
      token_address: bsc.tokens[0]?.address ?? '',
      amount_min: 0.001,
      amount_max: 0.002,
      range_time_min: 60,
      range_time_max: 120,
    },
  });
  for (let trade = 0; trade < count; trade++) await api.call(routes.executeBscBot, { params: { id } });
}

/** What stands beside a name: among the facts of the running session. */
async function sessionId({ page, words }: Person): Promise<string> {
  const name = page.getByRole('term').filter({ hasText: words.of('volume:session') });
  return await name.locator('xpath=following-sibling::dd[1]').innerText();
}

/** The figure of a stat card. */
async function stat({ page, words }: Person, key: string): Promise<string> {
  const label = page.getByText(words.of(key), { exact: true });
  return await label.locator('xpath=following-sibling::*[1]').first().innerText();
}

/** The session's trades in the history: filtered, searched, and one of them in full. */
async function findInHistory(person: Person, trades: readonly Trade[], { look }: Inspector): Promise<void> {
  const { words, field, dialog, page } = person;
  const details = page.getByRole('button', { name: words.like('history:details_of') });
  const shown = async (count: number) =>
    await vi.waitUntil(async () => (await details.count()) === count, STEP);
  const buys = trades.filter(({ action, status }) => action === 'buy' && status === 'success');

  await person.goTo('vmhistory');
  await shown(trades.length);
  await look('history');
  await field('history:filter.status').selectOption('success');
  await field('history:filter.action').selectOption('buy');
  await shown(buys.length);
  await field('history:search').fill(buys[0]?.transaction_hash ?? '');
  await shown(1);
  await details.click();
  const modal = dialog(words.of('history:detail_title'));
  await modal.getByText(words.of('history:attempt_state.landed'), { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'hidden' });
  await field('history:search').fill('nothing has this name');
  await page.getByText(words.of('history:empty'), { exact: true }).waitFor();
}

/** A session that could not empty all of its wallets offers to try again. This one is only told to be such a one. */
async function drainAgain(person: Person, chain: Chain): Promise<void> {
  const { words, button, page } = person;
  await page.route('**/volume-maker/sessions?*', async (route) => {
    const response = await route.fetch();
    const answer: { data: object[] } = await response.json();
    const data = answer.data.map((session) => ({ ...session, strandedWallets: 2 }));
    await route.fulfill({ response, json: { ...answer, data } });
  });
  await page.reload();
  const inspector = await createInspector(person, `volume-stranded-${chain}`);
  await goToVolume(person, chain);
  await page.getByText(words.of('volume:stranded', { count: 2 })).waitFor();
  await inspector.look('stranded');
  await page.unrouteAll({ behavior: 'wait' });
  const answered = page.waitForResponse((response) => response.url().endsWith('/drain'));
  await button('volume:drain_again').click();
  expect((await answered).status()).toBe(200);
  expect(inspector.faults).toEqual([]);
}
