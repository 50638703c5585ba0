import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyboardOf } from './lib/keyboard.ts';
import { createPerson, PASSWORD } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { boughtLines, TOKEN } from './lib/steps.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('keyboard');
});

afterAll(() => product.close());

test('all that the product is for can be done by keyboard alone', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { words, button, dialog, field, card, heading, page } = person;
  const { press, tabTo, expectFocus, activate, fill, goTo } = keyboardOf(person);

  // The focus begins in the first field, and does not leave the sign-in.
  await expectFocus(field('auth:username'));
  await activate(button('auth:register'));
  await expectFocus(field('auth:username'));
  await fill(field('auth:username'), 'keyboard');
  await fill(field('auth:password'), PASSWORD);
  await press('Enter');
  const dashboard = heading(words.of('dashboard:title'));
  await dashboard.waitFor();
  await expectFocus(dashboard);

  // A view takes the focus to its heading; back at the top of the page the skip link leads there again.
  const skip = page.getByRole('link', { name: words.of('shell:skip') });
  await tabTo(skip, 'Shift+Tab');
  await expect.poll(async () => (await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await press('Enter');
  await expectFocus(page.getByRole('main'));

  await goTo('wallets');
  const wallets = heading(words.of('wallets:title.solana'));
  await expectFocus(wallets);
  // Esc closes the layer, and the focus is where it was before.
  await activate(button('wallets:add'));
  await expectFocus(field('wallets:name'));
  await press('Escape');
  await dialog(words.of('wallets:add_title.solana')).waitFor({ state: 'hidden' });
  await expectFocus(button('wallets:add'));
  await press('Enter');
  await fill(field('wallets:name'), 'purse');
  await press('Enter');
  await card('purse').waitFor();
  await expectFocus(button('wallets:add'));
  await activate(button('wallets:faucet_for', { name: 'purse' }));
  await activate(button('wallets:request'));
  await page.getByText(words.like('wallets:granted')).waitFor();
  await press('Escape');
  await expectFocus(button('wallets:faucet_for', { name: 'purse' }));

  await goTo('bots');
  await heading(words.of('bots:title.solana')).waitFor();
  await activate(button('bots:create').first());
  const form = dialog(words.of('bots:create_title'));
  await expectFocus(field('bots:form.name', form));
  await fill(field('bots:form.name', form), 'buyer');
  await activate(form.getByRole('button', { name: TOKEN.solana, exact: true }));
  await form.getByText(words.like('token:decimals_other')).waitFor();
  await fill(field('bots:form.amount_min', form), '0.01');
  await press('ArrowUp');
  await fill(field('bots:form.amount_max', form), '0.05');
  await activate(button('common:action.create', {}, form));
  const bot = card('buyer');
  await bot.getByText('0.02 – 0.05').waitFor();

  await activate(button('bots:card.start', {}, bot));
  // Nobody is thrown back to the top of the page by waiting for an answer.
  await expectFocus(button('bots:card.stop', {}, bot));
  // What asks before money moves or something is lost begins at Cancel.
  const tradeNow = button('bots:card.trade_now', {}, bot);
  await activate(tradeNow);
  await expectFocus(button('common:action.cancel'));
  await press('Enter');
  await expectFocus(tradeNow);
  await press('Enter');
  await activate(button('bots:trade.verb_buy'));
  await bot.getByText(words.of('bots:trade.success')).waitFor();

  await activate(button('bots:card.console', {}, bot));
  await expectFocus(heading(words.of('console:title', { name: 'buyer' })));
  await boughtLines(person).waitFor();
  await activate(page.getByRole('button', { name: words.like('console:level.success') }));
  await expect.poll(() => boughtLines(person).count()).toBe(1);
  await tabTo(page.getByRole('checkbox', { name: words.of('console:auto_scroll') }));
  await press('Space');
  await tabTo(page.getByRole('region', { name: words.of('console:log_title') }));
  await activate(button('console:show_data'));
  await button('console:hide_data').waitFor();
  await activate(button('console:back'));
  await expectFocus(heading(words.of('bots:title.solana')));

  await activate(button('bots:card.stop', {}, bot));
  await expectFocus(button('bots:card.start', {}, bot));
  const remove = button('common:action.delete', {}, bot);
  await activate(remove);
  await expectFocus(button('common:action.cancel'));
  await press('Escape');
  await expectFocus(remove);
  await press('Enter');
  await activate(button('bots:delete.verb'));
  await bot.waitFor({ state: 'detached' });

  await activate(button('shell:halt.halt'));
  await expectFocus(button('common:action.cancel'));
  await activate(button('shell:halt.halt', {}, dialog(words.of('shell:halt.confirm_halt'))));
  await page.getByText(words.of('shell:halt.halted')).waitFor();
  await expectFocus(button('shell:halt.resume'));
  await press('Enter');
  await activate(button('shell:halt.resume', {}, dialog(words.of('shell:halt.confirm_resume'))));
  await button('shell:halt.halt').waitFor();

  await activate(button('shell:logout'));
  await expectFocus(field('auth:username'));
  expect(person.complaints).toEqual([]);
});

test('the sheet of a phone holds the focus and gives it back', async () => {
  const person = await createPerson(product, { device: 'phone', language: 'tr' });
  const { words, button, dialog, page } = person;
  const { press, expectFocus, activate } = keyboardOf(person);
  await person.register('sheet');
  await activate(button('shell:nav.more'));
  const sheet = dialog(words.of('shell:nav.more_title'));
  await sheet.waitFor();
  for (let stop = 0; stop < 12; stop++) {
    await press('Tab');
    expect(await page.locator('header :focus, nav :focus, main :focus').count()).toBe(0);
  }
  await press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await expectFocus(button('shell:nav.more'));
});
