import { readFile } from 'node:fs/promises';
import { routes } from '@kervan/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from './lib/api-of.ts';
import { createPerson } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, createBot, fund, logLines, openConsole, tradeNow } from './lib/steps.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('console');
});

afterAll(() => product.close());

/** More lines than the console shows at a time. */
const ROUNDS = 20;

test('the log of a bot follows its end, waits for its reader, and can be copied, saved and cleared', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { words, button, page } = person;
  await person.register('console');
  await person.goToWallets('solana');
  await addGeneratedWallet(person, 'solana', 'purse');
  await fund(person, 'solana', 'purse');
  await person.goToBots('solana');
  await createBot(person, 'solana', 'Night & day');
  await tradeNow(person, 'Night & day');
  await openConsole(person, 'Night & day');
  const lines = logLines(person);
  await lines.filter({ hasText: words.like('console:log.bought') }).waitFor();
  const shown = await lines.allInnerTexts();
  expect(shown).toHaveLength(2);

  await button('console:copy').click();
  await button('console:copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const rows = copied.split('\n');
  expect(rows).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}info {5}Trade now: buying for .+ SOL\. {2}\{.+\}$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}success {2}Bought .+ for .+ SOL\. {2}\{.+\}$/),
  ]);

  const saving = page.waitForEvent('download');
  await button('console:download').click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^Night-day-\d{4}-\d\d-\d\d\.txt$/);
  expect(await readFile(await file.path(), 'utf8')).toBe(copied);

  // Only the level that is chosen.
  const levels = page.getByRole('group', { name: words.of('console:levels') });
  await levels.getByRole('button', { name: words.like('console:level.success') }).click();
  await expect.poll(() => lines.count()).toBe(1);
  await button('console:copy').click();
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(rows[1]);
  await levels.getByRole('button', { name: words.like('console:level.all') }).click();

  const api = await apiOf(product, person);
  const [bot] = await api.call(routes.listBots);
  async function switchOnAndOff(times: number): Promise<void> {
    const params = { id: bot?.id ?? '' };
    for (let round = 0; round < times; round++) {
      await api.call(routes.startBot, { params });
      await api.call(routes.stopBot, { params });
    }
  }
  const last = lines.last();
  const total = (count: number) => page.getByText(words.of('console:count', { count, formatted: count }));

  await switchOnAndOff(ROUNDS);
  await total(2 + 2 * ROUNDS).waitFor();
  await expect.poll(() => last.getAttribute('aria-posinset')).toBe(String(2 + 2 * ROUNDS));
  // Somebody who reads further up is not torn away, but told.
  await lines.nth(3).hover();
  await page.mouse.wheel(0, -10_000);
  await expect.poll(() => lines.first().getAttribute('aria-posinset')).toBe('1');
  await switchOnAndOff(1);
  await button('console:new', { count: 2, formatted: 2 }).click();
  await expect.poll(() => last.getAttribute('aria-posinset')).toBe(String(4 + 2 * ROUNDS));

  await button('console:clear').click();
  await page.getByText(words.of('console:cleared')).waitFor();
  expect(await button('console:copy').isDisabled()).toBe(true);
  await switchOnAndOff(1);
  await total(2).waitFor();
  expect(person.complaints).toEqual([]);
});
