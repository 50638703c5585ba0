import { readFile } from 'node:fs/promises';
import {
  enterpriseCsvHeader,
  enterpriseCsvLine,
  ENTERPRISE_PAGE_SIZE,
  routes,
  type EnterpriseLog,
} from '@kervan/contract';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from './lib/api-of.ts';
import { copyIntoPast } from './lib/past-trades.ts';
import { createPerson, type Person } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, createBot, fund, tradeNow } from './lib/steps.ts';

/** Of one trade a chain; with these 122 trades, three pages of logs. */
const COPIES = 60;
const BOT = { solana: 'Steady buyer', bsc: 'Cake buyer' };

let product: Product;
let person: Person;

beforeAll(async () => {
  product = await startProduct('records');
  person = await createPerson(product, { device: 'desktop', language: 'en' });
  await person.register('records');
  for (const chain of ['solana', 'bsc'] as const) {
    await person.goToWallets(chain);
    await addGeneratedWallet(person, chain, 'purse');
    await fund(person, chain, 'purse');
    await person.goToBots(chain);
    await createBot(person, chain, BOT[chain]);
    await tradeNow(person, BOT[chain]);
  }
  await copyIntoPast(product, COPIES);
}, 120_000);

afterAll(() => product.close());

/** But for what the browser itself says of a call that fails, as one here does on purpose. */
const complaints = () => person.complaints.filter((text) => !text.startsWith('Failed to load resource'));

/** The rows of the table, as the texts of their cells. */
async function cells(table: Locator): Promise<string[][]> {
  return await table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

async function logsOf(query: Record<string, string | number>): Promise<readonly EnterpriseLog[]> {
  const api = await apiOf(product, person);
  return (await api.call(routes.enterpriseLogs, { query })).logs;
}

/** What a menu item of the export saves. */
async function exported(item: string): Promise<string> {
  await person.button('enterprise:export').click();
  const saving = person.page.waitForEvent('download');
  await person.page.getByRole('menuitem', { name: person.words.of(item), exact: true }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^enterprise-logs-\d{4}-\d\d-\d\d\.csv$/);
  return await readFile(await file.path(), 'utf8');
}

const csvOf = (logs: readonly EnterpriseLog[]) =>
  enterpriseCsvHeader() + logs.map(enterpriseCsvLine).join('');

test('the logs are filtered from page 1 on, paged, and saved as the page or as all of it', async () => {
  const { page, words, button, field, heading } = person;
  await person.goTo('enterprise');
  await heading(words.of('enterprise:title')).waitFor();
  const table = page.getByRole('table', { name: words.of('enterprise:title') });
  const total = (count: number) =>
    page.getByText(words.of('enterprise:total', { count, formatted: count }), { exact: true });
  const showing = (at: number, pages: number) =>
    page.getByText(words.of('common:pages.showing', { page: at, pages }), { exact: true });
  const all = 2 * COPIES + 2;

  await total(all).waitFor();
  await showing(1, 3).waitFor();
  expect(await button('common:pages.previous').isDisabled()).toBe(true);
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
    'Date',
    'Type',
    'Chain',
    'USD',
    'Token Amount',
    'Native',
    'Price',
    'Maker',
    'TXN',
  ]);
  const first = await logsOf({ page: 1 });
  const [row = []] = await cells(table);
  const [newest] = first;
  expect(row.at(-2)).toContain(`${newest?.maker.slice(0, 6)}…${newest?.maker.slice(-4)}`);
  expect(row.at(-1)).toContain(`${newest?.txn.slice(0, 8)}…${newest?.txn.slice(-8)}`);
  expect(await exported('enterprise:export_page')).toBe(csvOf(first));

  await button('common:pages.next').click();
  await button('common:pages.next').click();
  await showing(3, 3).waitFor();
  await expect.poll(() => table.locator('tbody tr').count()).toBe(all - 2 * ENTERPRISE_PAGE_SIZE);
  expect(await button('common:pages.next').isDisabled()).toBe(true);
  expect(await exported('enterprise:export_page')).toBe(csvOf(await logsOf({ page: 3 })));
  expect(await exported('enterprise:export_all')).toBe(csvOf(await logsOf({ limit: 200 })));

  await button('enterprise:filter_button').click();
  await field('enterprise:filter.chain').selectOption('bsc');
  await total(COPIES + 1).waitFor();
  await showing(1, 2).waitFor();
  expect(new Set((await cells(table)).map((cell) => cell[2]))).toEqual(new Set(['ChainBSC']));
  await field('enterprise:filter.type').selectOption('sell');
  await total(COPIES / 3).waitFor();
  expect(await page.getByRole('navigation', { name: words.of('common:pages.label') }).count()).toBe(0);
  await field('enterprise:filter.minUsd').fill('5');
  await field('enterprise:filter.maxUsd').fill('12');
  await total(3).waitFor();
  expect((await cells(table)).map((cell) => cell[3])).toEqual(['USD$6.00', 'USD$9.00', 'USD$12.00']);
  const query = { chain: 'bsc', type: 'sell', minUsd: 5, maxUsd: 12 };
  expect(await exported('enterprise:export_all')).toBe(csvOf(await logsOf(query)));

  await field('enterprise:filter.maxUsd').fill('much');
  await page.getByText(words.of('enterprise:bound_invalid')).waitFor();
  // A bound that is no number filters nothing.
  await total(COPIES / 3 - 1).waitFor();
  await field('enterprise:filter.maxUsd').fill('');
  await field('enterprise:filter.minUsd').fill('1000000');
  await table.getByText('No trade logs found', { exact: true }).waitFor();
  await field('enterprise:filter.minUsd').fill('');
  await field('enterprise:filter.type').selectOption('all');
  await field('enterprise:filter.dateRange').selectOption('1d');
  await expect.poll(() => table.locator('tbody tr').count()).toBe(24);
  expect(complaints()).toEqual([]);
});

test('logs that can not be fetched leave the list as it is', async () => {
  const { page, words, button } = person;
  const table = page.getByRole('table', { name: words.of('enterprise:title') });
  const before = await cells(table);
  await page.route('**/api/v1/enterprise/logs?**', (route) => route.fulfill({ status: 503, body: '{}' }));
  await button('common:action.refresh').click();
  await page.getByText(words.of('common:error.title')).waitFor();
  expect(await cells(table)).toEqual(before);
  await page.unroute('**/api/v1/enterprise/logs?**');
  await button('common:action.retry').click();
  await page.getByText(words.of('common:error.title')).waitFor({ state: 'detached' });
});

test('a bot’s trades stand fifty to a page beside the prices they had, each with its life', async () => {
  const { page, words, button, dialog, card, heading } = person;
  await person.goToBots('solana');
  await button('bots:card.history', {}, card(BOT.solana)).click();
  const title = words.of('history:bot_title', { name: BOT.solana });
  await heading(title).waitFor();
  await page
    .getByRole('img', { name: words.like('history:price_chart') })
    .locator('canvas')
    .first()
    .waitFor();
  const rows = page.getByRole('table', { name: title }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(50);
  await button('common:pages.next').click();
  await page.getByText(words.of('common:pages.showing', { page: 2, pages: 2 }), { exact: true }).waitFor();
  await expect.poll(() => rows.count()).toBe(COPIES + 1 - 50);
  await button('common:pages.previous').click();
  await expect.poll(() => rows.count()).toBe(50);

  // The one that the chain knows.
  await rows
    .first()
    .getByRole('button', { name: words.like('history:details_of') })
    .press('Enter');
  const detail = dialog(words.of('history:detail_title'));
  await detail.locator('[data-state="landed"]').waitFor();
  for (const step of ['planned_at', 'simulated_at', 'signed_at', 'sent_at', 'landed_at', 'ended_at']) {
    await detail.getByText(words.of(`history:life.${step}`), { exact: true }).waitFor();
  }
  expect(await detail.locator('[data-reached="false"]').count()).toBe(0);
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'hidden' });
  await button('history:back').click();
  await card(BOT.solana).waitFor();
  expect(complaints()).toEqual([]);
});

test('the dashboard draws balance and result of each chain', async () => {
  const { page, words, heading } = person;
  await person.goTo('dashboard');
  await heading(words.of('dashboard:title')).waitFor();
  for (const chain of ['solana', 'bsc'] as const) {
    await page
      .getByRole('radiogroup', { name: words.of('dashboard:chart_chain') })
      .getByText(words.of(`common:chain.${chain}`), { exact: true })
      .click();
    for (const name of ['balance_over_time', 'result_by_day']) {
      const chart = page.getByRole('img', { name: words.like(`dashboard:${name}`) });
      await chart.filter({ visible: true }).locator('canvas').first().waitFor();
    }
  }
  expect(complaints()).toEqual([]);
});
