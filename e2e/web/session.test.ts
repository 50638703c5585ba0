import { routes } from '@kervan/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiOf } from './lib/api-of.ts';
import { createPerson, PASSWORD, type Person } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('session');
});

afterAll(() => product.close());

/** As a page reads it: unsigned, and of the year 1970. */
const EXPIRED_TOKEN = `.${Buffer.from('{"exp":1}').toString('base64url')}.`;

const stored = (page: Page) =>
  page.evaluate(() => ({
    token: localStorage.getItem('auth_token'),
    user: localStorage.getItem('user_data'),
  }));

/** Ends the session on the server, as signing out elsewhere does. */
async function revoke(person: Person): Promise<void> {
  const api = await apiOf(product, person);
  await api.call(routes.logout);
}

const signIn = ({ dialog, words }: Person) => dialog(words.of('auth:sign_in'));

async function signInAgain(person: Person, username: string): Promise<void> {
  const { field, button, heading, words } = person;
  await field('auth:username', signIn(person)).fill(username);
  await field('auth:password', signIn(person)).fill(PASSWORD);
  await button('auth:sign_in', {}, signIn(person)).click();
  await heading(words.of('dashboard:title')).waitFor();
}

test('the sign-in opens by itself and comes back when it is closed', async () => {
  const person = await createPerson(product, { device: 'phone', language: 'tr' });
  await signIn(person).waitFor();
  await person.page.keyboard.press('Escape');
  await signIn(person).waitFor({ state: 'hidden' });
  await signIn(person).waitFor();
  await person.button('common:action.close', {}, signIn(person)).click();
  await signIn(person).waitFor({ state: 'hidden' });
  await signIn(person).waitFor();
  expect(person.complaints).toEqual([]);
});

test('a session outlives a reload; signing out clears it and the next sign-in begins at the dashboard', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { page, heading, words, button } = person;
  await person.register('reloader');
  await page.reload();
  await heading(words.of('dashboard:title')).waitFor();
  await person.goToBots('bsc');
  await button('shell:logout').click();
  await signIn(person).waitFor();
  expect(await stored(page)).toEqual({ token: null, user: null });
  await page.reload();
  await signIn(person).waitFor();
  await signInAgain(person, 'reloader');
  expect(await heading(words.of('bots:title.bsc')).count()).toBe(0);
  expect(person.complaints).toEqual([]);
});

test('a token that has expired is renewed behind a spinner', async () => {
  const person = await createPerson(product, { device: 'phone', language: 'en' });
  const { page, heading, words } = person;
  await person.register('renewed');
  await page.evaluate((token) => localStorage.setItem('auth_token', token), EXPIRED_TOKEN);
  const goOn = Promise.withResolvers<void>();
  await page.route('**/auth/refresh', async (route) => {
    await goOn.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('status').getByText(words.of('common:loading'), { exact: true }).waitFor();
  expect(await heading(words.of('dashboard:title')).or(signIn(person)).count()).toBe(0);
  goOn.resolve();
  await heading(words.of('dashboard:title')).waitFor();
  expect((await stored(page)).token).not.toBe(EXPIRED_TOKEN);
});

test('a session that was ended on the server ends in the page by itself', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'tr' });
  await person.register('ended');
  await revoke(person);
  await signIn(person).waitFor();
  expect(await stored(person.page)).toEqual({ token: null, user: null });
});

test('a call that is answered with 401 signs out too', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { page, button } = person;
  // Without a socket nobody tells the page before its next call.
  await page.routeWebSocket(/socket\.io/, () => undefined);
  await page.route(/socket\.io/, (route) => route.abort());
  await button('auth:register', {}, signIn(person)).click();
  const form = person.dialog(person.words.of('auth:register'));
  await person.field('auth:username', form).fill('refused');
  await person.field('auth:password', form).fill(PASSWORD);
  await button('auth:register', {}, form).click();
  // What is under way would be answered with 401 too, and take the button away.
  await expect.poll(() => button('common:action.refresh').isEnabled()).toBe(true);
  await revoke(person);
  await button('common:action.refresh').click();
  await signIn(person).waitFor();
  expect(await stored(page)).toEqual({ token: null, user: null });
  await signInAgain(person, 'refused');
});

test('signing out in one tab signs out in the other', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  await person.register('two tabs');
  const other = await person.page.context().newPage();
  await other.goto('/');
  await other.getByRole('heading', { name: person.words.of('dashboard:title'), exact: true }).waitFor();
  await person.button('shell:logout').click();
  await other.getByRole('dialog', { name: person.words.of('auth:sign_in'), exact: true }).waitFor();
  expect(await stored(other)).toEqual({ token: null, user: null });
});
