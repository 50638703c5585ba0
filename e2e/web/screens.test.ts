import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspector } from './lib/inspect.ts';
import { escape, failing } from './lib/looks.ts';
import { createPerson, type Person } from './lib/person.ts';
import { lookAtBotTrades, lookAtLogs, lookAtSettings, lookAtTokenWarning } from './lib/records-looks.ts';
import { startProduct, type Look, type Product } from './lib/product.ts';
import { seed } from './lib/seed.ts';
import { chooseToken, logLines, openConsole, tradeNow, tradeToast } from './lib/steps.ts';
import { lookAtFastSwaps } from './lib/swap-looks.ts';
import { lookAtHistory, lookAtVolume } from './lib/volume-looks.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('screens');
});

afterAll(() => product.close());

/** Views and their headings. */
const EMPTY_VIEWS = {
  fastswap: 'fastswap:title.solana',
  volumemaker: 'volume:title.solana',
  fastswapbsc: 'fastswap:title.bsc',
  volumemakerbsc: 'volume:title.bsc',
  vmhistory: 'history:title',
  enterprise: 'enterprise:title',
};

const looks: Required<Look>[] = [
  { device: 'desktop', language: 'en', scheme: 'dark' },
  { device: 'desktop', language: 'tr', scheme: 'light' },
  { device: 'phone', language: 'tr', scheme: 'dark' },
  { device: 'phone', language: 'en', scheme: 'light' },
];

/** Whether a line of the console lies over the one before it. */
async function overlaps(person: Person): Promise<boolean> {
  return await logLines(person).evaluateAll((lines) => {
    const boxes = lines.map((line) => line.getBoundingClientRect());
    return boxes.some((box, index) => box.top < (boxes[index - 1]?.bottom ?? -Infinity) - 1);
  });
}

test.each(looks)('every screen can be used by everybody: $device, $language, $scheme', async (look) => {
  const person = await createPerson(product, look);
  const { words, button, dialog, field, card, heading, page } = person;
  const inspector = await createInspector(person, `${look.device}-${look.language}`);

  await dialog(words.of('auth:sign_in')).waitFor();
  await inspector.look('sign-in');
  await button('auth:sign_in').click();
  await page.getByRole('alert').waitFor();
  await inspector.look('sign-in-invalid');
  await field('auth:username').fill('nobody');
  await field('auth:password').fill('wrong password');
  await button('auth:sign_in').click();
  await page.getByRole('alert').waitFor();
  await inspector.look('sign-in-refused');
  await button('auth:register').click();
  await field('auth:username').waitFor();
  await inspector.look('register');
  await button('auth:sign_in').click();
  await person.register(`screens ${look.device} ${look.language}`);

  await button('dashboard:add_wallet').first().waitFor();
  await inspector.look('dashboard-empty');
  for (const chain of ['solana', 'bsc'] as const) {
    await person.goToWallets(chain);
    await button('wallets:add_first').waitFor();
    await inspector.look(`wallets-empty-${chain}`);
    await person.goToBots(chain);
    await button('bots:add_wallet').waitFor();
    await inspector.look(`bots-without-wallet-${chain}`);
  }
  for (const [view, title] of Object.entries(EMPTY_VIEWS)) {
    await person.goTo(view);
    await heading(words.of(title)).waitFor();
    await inspector.look(view);
  }
  await person.goTo('settings');
  await heading(words.of('settings:title')).waitFor();
  await inspector.look('settings');

  const names = await seed(product, person);
  await person.goTo('dashboard');
  await button('common:action.refresh').click();
  await page.getByText(names.bsc, { exact: true }).waitFor();
  await inspector.look('dashboard');
  if (look.device === 'phone') {
    await button('shell:nav.more').click();
    await dialog(words.of('shell:nav.more_title')).waitFor();
    await inspector.look('more');
    await escape(person);
  }
  await button('shell:halt.halt').click();
  await dialog(words.of('shell:halt.confirm_halt')).waitFor();
  await inspector.look('halt-question');
  await button('shell:halt.halt', {}, dialog(words.of('shell:halt.confirm_halt'))).click();
  await page.getByText(words.of('shell:halt.halted')).waitFor();
  await inspector.look('halted');
  await button('shell:halt.resume').click();
  await dialog(words.of('shell:halt.confirm_resume')).waitFor();
  await inspector.look('resume-question');
  await button('shell:halt.resume', {}, dialog(words.of('shell:halt.confirm_resume'))).click();
  await button('shell:halt.halt').waitFor();
  await failing(person, '/halt', async () => {
    await button('shell:halt.halt').click();
    await button('shell:halt.halt', {}, dialog(words.of('shell:halt.confirm_halt'))).click();
    await page
      .getByRole('alert')
      .filter({ hasText: words.of('shell:halt.failed') })
      .waitFor();
    await inspector.look('halt-failed');
  });
  await failing(person, '/wallets', async () => {
    await button('common:action.refresh').click();
    await page.getByText(words.of('common:error.title')).waitFor();
    await inspector.look('dashboard-failed');
  });

  for (const chain of ['solana', 'bsc'] as const) {
    await person.goToWallets(chain);
    await card(names.treasury).waitFor();
    await inspector.look(`wallets-${chain}`);
    // The whole amount, for who goes there by keyboard.
    await page.keyboard.press('Tab');
    await card(names.treasury).locator('[data-value]').focus();
    await page.getByRole('tooltip').waitFor();
    await inspector.look(`wallet-amount-${chain}`);
    await button('wallets:add').click();
    const add = dialog(words.of(`wallets:add_title.${chain}`));
    await add.waitFor();
    await inspector.look(`wallet-generate-${chain}`);
    await add.getByText(words.of('wallets:origin_import'), { exact: true }).click();
    await field('wallets:name', add).fill('x');
    await field('wallets:key', add).fill('no key');
    await button('wallets:submit_import', {}, add).click();
    await add.getByRole('alert').waitFor();
    await inspector.look(`wallet-import-invalid-${chain}`);
    await escape(person);
    await button('wallets:faucet_for', { name: names.treasury }).click();
    const faucet = dialog(words.of('wallets:faucet_title', { name: names.treasury }));
    await button('wallets:request', {}, faucet).click();
    await faucet.getByText(words.like('wallets:granted')).waitFor();
    await inspector.look(`faucet-${chain}`);
    await escape(person);
    await button('wallets:delete_label', { name: names.treasury }).click();
    await dialog(words.of('wallets:delete_title', { name: names.treasury })).waitFor();
    await inspector.look(`wallet-delete-${chain}`);
    await button('wallets:delete').click();
    await page
      .getByRole('alert')
      .filter({ hasText: words.of('wallets:delete_failed') })
      .waitFor();
    await inspector.look(`wallet-in-use-${chain}`);
  }

  await person.goToWallets('solana');
  await button('wallets:history_of', { name: names.treasury }).click();
  await heading(words.of('wallets:history_title', { name: names.treasury })).waitFor();
  const details = page.getByRole('button', { name: words.like('wallets:details_label') });
  await details.first().waitFor();
  await inspector.look('wallet-history');
  await details.first().click();
  const detail = dialog(words.of('wallets:detail_title'));
  await detail.getByText(words.of('wallets:logs')).waitFor();
  await inspector.look('transaction');
  await detail
    .getByRole('button', { name: words.of('common:action.copy', { what: words.of('wallets:signature') }) })
    .hover();
  await page.getByRole('tooltip').waitFor();
  await inspector.look('transaction-copy');
  await escape(person);

  for (const [chain, name] of [
    ['solana', names.buyer],
    ['bsc', names.bsc],
  ] as const) {
    await person.goToBots(chain);
    await card(name).waitFor();
    if (chain === 'solana') await button('bots:card.no_balance').waitFor();
    await inspector.look(`bots-${chain}`);
    await button('bots:create').click();
    const create = dialog(words.of('bots:create_title'));
    await field('bots:form.range_time_max', create).fill('31');
    await button('common:action.create', {}, create).click();
    await create.getByRole('alert').waitFor();
    await inspector.look(`bot-invalid-${chain}`);
    await chooseToken(person, chain, create);
    await field('bots:form.name', create).fill('x');
    await inspector.look(`bot-new-${chain}`);
    await escape(person);
    await button('bots:card.edit', {}, card(name)).click();
    await dialog(words.of('bots:edit_title')).waitFor();
    await inspector.look(`bot-edit-${chain}`);
    await escape(person);
    await button('common:action.delete', {}, card(name)).click();
    await dialog(words.of('bots:delete.title', { name })).waitFor();
    await inspector.look(`bot-delete-${chain}`);
    await escape(person);
  }

  await button('bots:card.trade_now', {}, card(names.bsc)).click();
  await dialog(words.of('bots:trade.confirm', { name: names.bsc })).waitFor();
  await inspector.look('trade-question');
  await escape(person);
  await tradeNow(person, names.bsc);
  await tradeToast(person, 'bsc').waitFor();
  await inspector.look('trade-toast');
  await failing(person, '/bsc/bots/*', async () => {
    await button('bots:card.start', {}, card(names.bsc)).click();
    await card(names.bsc).getByRole('alert').waitFor();
    await inspector.look('bot-start-failed');
  });
  await openConsole(person, names.bsc);
  await button('console:show_data').nth(1).click();
  await page.getByText('"tradeId"').waitFor();
  await expect.poll(() => overlaps(person), { timeout: 20_000 }).toBe(false);
  await inspector.look('console-bsc');
  await page
    .getByRole('group', { name: words.of('console:levels') })
    .getByText(words.of('console:level.warning'))
    .click();
  await page.getByText(words.of('console:empty_level')).waitFor();
  await inspector.look('console-empty-level');

  await person.goToBots('solana');
  await openConsole(person, names.buyer);
  await page.getByText(words.like('console:log.bought')).first().waitFor();
  await inspector.look('console-solana');
  await button('console:clear').click();
  await page.getByText(words.of('console:cleared')).waitFor();
  await inspector.look('console-cleared');

  await lookAtVolume(person, inspector, names.treasury);
  await lookAtHistory(person, inspector);
  await lookAtLogs(person, inspector);
  await lookAtBotTrades(person, inspector, names.buyer);
  await lookAtTokenWarning(person, inspector);
  await lookAtSettings(person, inspector);

  expect(inspector.faults).toEqual([]);
});

test.each(looks)('and so can the fast swaps: $device, $language, $scheme', async (look) => {
  const person = await createPerson(product, look);
  await person.register(`swaps ${look.device} ${look.language}`);
  const inspector = await createInspector(person, `${look.device}-${look.language}-fast-swap`);
  await lookAtFastSwaps(product, person, inspector);
  expect(inspector.faults).toEqual([]);
});
