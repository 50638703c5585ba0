import { afterAll, beforeAll, expect, test } from 'vitest';
import { failing } from './lib/looks.ts';
import { createPerson, type Person } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, chooseToken, createBot, fund, logLines, openConsole } from './lib/steps.ts';

// The sentences of spec §8 stand here word for word, not as the app's own texts have them.

/** What a server says that is broken. */
const REASON = 'Something went wrong on the server.';

let product: Product;
let person: Person;

beforeAll(async () => {
  product = await startProduct('failures');
  person = await createPerson(product, { device: 'desktop', language: 'en' });
  await person.register('failures');
  await person.goToWallets('solana');
  await addGeneratedWallet(person, 'solana', 'purse');
  await fund(person, 'solana', 'purse');
  await person.goToBots('solana');
  await createBot(person, 'solana', 'stubborn');
});

afterAll(() => product.close());

const alert = (text: string) => person.page.getByRole('alert').filter({ hasText: text });

test('a bot that can not be started, deleted or changed says so and stays as it was', async () => {
  const { page, button, card, dialog } = person;
  await failing(person, '/bots/*/start', async () => {
    await button('bots:card.start', {}, card('stubborn')).click();
    await alert('Failed to start bot: ').waitFor();
  });
  await card('stubborn').getByText('Inactive', { exact: true }).waitFor();
  await openConsole(person, 'stubborn');
  await logLines(person).filter({ hasText: 'Failed to start bot: ' }).waitFor();
  await button('console:back').click();

  await failing(person, '/bots/*', async () => {
    await button('common:action.delete', {}, card('stubborn')).click();
    await page.getByText('Are you sure you want to delete this bot?').waitFor();
    await button('bots:delete.verb', {}, dialog('Delete stubborn?')).click();
    await alert('Failed to delete bot: ').waitFor();
    await card('stubborn').waitFor();

    await button('bots:card.edit', {}, card('stubborn')).click();
    await button('common:action.save').click();
    await alert('Failed to update bot: ').waitFor();
    await page.keyboard.press('Escape');
  });

  await failing(person, '/bots', async () => {
    await button('bots:create').first().click();
    const create = dialog('Create bot');
    await person.field('bots:form.name', create).fill('never');
    await chooseToken(person, 'solana', create);
    await button('common:action.create', {}, create).click();
    await alert('Failed to create bot: ').waitFor();
    // Nothing that was typed is lost.
    expect(await person.field('bots:form.name', create).inputValue()).toBe('never');
    await page.keyboard.press('Escape');
  });
});

test('a bot that can not be stopped says so and stays active', async () => {
  const { button, card } = person;
  await button('bots:card.start', {}, card('stubborn')).click();
  await card('stubborn').getByText('Active', { exact: true }).waitFor();
  await failing(person, '/bots/*/stop', async () => {
    await button('bots:card.stop', {}, card('stubborn')).click();
    await alert('Failed to stop bot: ').waitFor();
  });
  await card('stubborn').getByText('Active', { exact: true }).waitFor();
  await button('bots:card.stop', {}, card('stubborn')).click();
  await card('stubborn').getByText('Inactive', { exact: true }).waitFor();
  expect(await alert('Failed to stop bot: ').count()).toBe(0);
});

test('a token that can not be looked up is not called invalid, and one with risks warns of them', async () => {
  const { page, button, dialog } = person;
  await button('bots:create').first().click();
  const create = dialog('Create bot');
  await failing(person, '/tokens/**', async () => {
    await create.getByRole('button', { name: 'KRVN', exact: true }).click();
    await create.getByText('Failed to fetch token information').waitFor();
    expect(await create.getByText('Invalid token address').count()).toBe(0);
  });
  await create.getByRole('button', { name: 'AYAZ', exact: true }).click();
  await create
    .getByRole('alert')
    .getByText('Its issuer can freeze any wallet’s tokens, which then can’t be sold.', { exact: true })
    .waitFor();
  await page.keyboard.press('Escape');
});

test('wallets and histories that can not be fetched say so, and a wallet that can not be deleted stays', async () => {
  const { words, button, card, dialog } = person;
  await person.goToWallets('solana');
  await failing(person, '/wallets/**', async () => {
    await button('wallets:delete_label', { name: 'purse' }).click();
    await button('wallets:delete', {}, dialog(words.of('wallets:delete_title', { name: 'purse' }))).click();
    await alert('Failed to delete wallet').waitFor();
    expect(await card('purse').count()).toBe(1);
    await button('wallets:history_of', { name: 'purse' }).click();
    await alert(REASON).waitFor();
  });
});
