import { routes } from '@kervan/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveNode, type FakeService } from '../../apps/server/test/fake-service.ts';
import { apiOf } from './lib/api-of.ts';
import { createPerson, PASSWORD, type Person } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, createBot, fund } from './lib/steps.ts';

const PROVIDER_KEY = 'b7f2c6d0-1234-5678-9abc-9e1d40aa77c3';
/** Keeps the events that the settings send to the window, for the test to read. */
const KEEP_EVENTS = `window.kept = [];
  addEventListener('bsc:settings:updated', (event) => window.kept.push(event.detail.chainId))`;

let product: Product;
let person: Person;
let testnetNode: FakeService;

beforeAll(async () => {
  product = await startProduct('settings');
  testnetNode = await serveNode({ eth_chainId: '0x61' });
  person = await createPerson(product, { device: 'desktop', language: 'en' });
  await person.register('settings');
  await openSettings();
});

afterAll(() => product.close());

async function openSettings(): Promise<void> {
  await person.goTo('settings');
  await person.heading(person.words.of('settings:title')).waitFor();
}

const form = (name: string) => person.page.getByRole('form', { name, exact: true });

/** The button that saves a form, as it stands in this state. */
const saving = (name: string, state: 'idle' | 'saving' | 'saved' | 'error') =>
  person.button(`settings:save.${state}`, {}, form(name));

const stored = () => person.page.evaluate<Record<string, string>>('({ ...localStorage })');

test('the language and the colours change at once and outlive a reload', async () => {
  const { page, heading } = person;
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Türkçe').click();
  await heading('Ayarlar').waitFor();
  await page.getByRole('radiogroup', { name: 'Renkler' }).getByText('Açık').click();
  await page.reload();
  await page.getByRole('button', { name: 'Ayarlar', exact: true }).click();
  await heading('Ayarlar').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('tr');
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light');
  await page.getByRole('radiogroup', { name: 'Dil' }).getByText('English').click();
  await heading('Settings').waitFor();
});

test('a node of another network is refused at its field, and nothing that was typed is lost', async () => {
  const { page, field } = person;
  const before = await stored();
  await page.evaluate(KEEP_EVENTS);
  await field('settings:chain_id').selectOption('testnet');
  await field('settings:rpc_url').fill('http://127.0.0.1:1/wrong');
  // By keyboard alone.
  await field('settings:rpc_url').press('Enter');
  await saving('BSC', 'error').waitFor();
  await form('BSC')
    .getByRole('alert')
    .getByText(
      'The settings could not be saved: No node answers at the address in RPC URL. Nothing was saved.',
      { exact: true },
    )
    .waitFor();
  expect(await field('settings:rpc_url').getAttribute('aria-invalid')).toBe('true');
  // Three seconds later the button is itself again, and the reason still there.
  await saving('BSC', 'idle').waitFor();
  expect(await form('BSC').getByRole('alert').count()).toBe(1);
  expect(await field('settings:rpc_url').inputValue()).toBe('http://127.0.0.1:1/wrong');
  expect(await field('settings:chain_id').inputValue()).toBe('testnet');
  expect(await stored()).toEqual(before);
  expect(await page.evaluate('window.kept')).toEqual([]);
});

test('a node of the network is saved, masked, and told to the page', async () => {
  const { page, words, field, button } = person;
  const goOn = Promise.withResolvers<void>();
  await page.route('**/api/v1/settings', async (route) => {
    await goOn.promise;
    await route.continue();
  });
  await field('settings:rpc_url').fill(`${testnetNode.url}/v2/secret`);
  await saving('BSC', 'idle').click();
  // While it is being saved it can't be sent again.
  await expect.poll(() => saving('BSC', 'saving').isDisabled()).toBe(true);
  goOn.resolve();
  await saving('BSC', 'saved').waitFor();
  await page.unroute('**/api/v1/settings');
  await page.getByText(words.of('settings:rpc_stored', { masked: `${testnetNode.url}/…` })).waitFor();
  await expect.poll(() => field('settings:rpc_url').inputValue()).toBe('');
  expect(await stored()).toMatchObject({ bsc_chain_id: '97', bsc_rpc_url: `${testnetNode.url}/…` });
  expect(await page.evaluate('window.kept')).toEqual([97]);
  await saving('BSC', 'idle').waitFor();

  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Kervan').getByText('Connected', { exact: true }).waitFor();
  await row('Solana · ').getByText('Connected', { exact: true }).waitFor();
  await testnetNode.close();
  await expect
    .poll(
      async () => {
        await button('settings:check_again').click();
        return await row('BSC · ').innerText();
      },
      { timeout: 20_000 },
    )
    .toContain('Not connected');

  await button('settings:rpc_remove').click();
  await saving('BSC', 'saved').waitFor();
  await field('settings:chain_id').selectOption('sandbox');
  await saving('BSC', 'saved').or(saving('BSC', 'idle')).click();
  await row(`BSC · ${words.of('common:network_name.sandbox')}`)
    .getByText('Connected', { exact: true })
    .waitFor();
  expect(await page.evaluate('window.kept')).toEqual([97, 97, 31_337]);
});

test('the provider key is shown as its ends only, and kept nowhere in the page', async () => {
  const { page, words, field, button, dialog } = person;
  expect(await field('settings:key').getAttribute('type')).toBe('password');
  await field('settings:key').fill(PROVIDER_KEY);
  await field('settings:key').press('Enter');
  await saving('Solana', 'saved').waitFor();
  const masked = page.getByText(words.of('settings:key_stored', { masked: 'b7f2…77c3' }), { exact: true });
  await masked.waitFor();
  expect(await field('settings:key').inputValue()).toBe('');
  await page.reload();
  await openSettings();
  await masked.waitFor();
  expect(JSON.stringify(await stored())).not.toContain(PROVIDER_KEY);
  expect(await page.content()).not.toContain(PROVIDER_KEY);

  await button('settings:key_remove').click();
  await button('settings:key_remove', {}, dialog(words.of('settings:key_remove_title'))).click();
  await page.getByText(words.of('settings:key_none')).waitFor();
  expect(await stored()).not.toHaveProperty('provider_key_masked');
});

test('a limit is saved, and a trade above it refused in a sentence', async () => {
  const { page, words, field, button, card, dialog } = person;
  const limits = `${words.of('settings:limits')} Solana`;
  await field('settings:maxNativePerTrade', form(limits)).fill('-1');
  await saving(limits, 'idle').click();
  await form(limits).getByText(words.of('settings:limit_invalid')).waitFor();
  await field('settings:maxNativePerTrade', form(limits)).fill('0.001');
  await saving(limits, 'idle').click();
  await saving(limits, 'saved').waitFor();

  await person.goToWallets('solana');
  await addGeneratedWallet(person, 'solana', 'purse');
  await fund(person, 'solana', 'purse');
  await person.goToBots('solana');
  await createBot(person, 'solana', 'Big spender');
  await button('bots:card.trade_now', {}, card('Big spender')).click();
  await button(
    'bots:trade.verb_buy',
    {},
    dialog(words.of('bots:trade.confirm', { name: 'Big spender' })),
  ).click();
  await page
    .getByText(/The trade is worth 0\.01\d* SOL; the limit for one trade is 0\.001 SOL\./)
    .first()
    .waitFor();
  await openSettings();
  expect(await field('settings:maxNativePerTrade', form(limits)).inputValue()).toBe('0.001');
});

test('other sign-ins are listed and ended, one or all', async () => {
  const { page, words, button, dialog } = person;
  const elsewhere = async (): Promise<Person> => {
    const other = await createPerson(product, { device: 'phone', language: 'en' });
    const signIn = other.dialog(words.of('auth:sign_in'));
    await other.field('auth:username', signIn).fill('settings');
    await other.field('auth:password', signIn).fill(PASSWORD);
    await other.button('auth:sign_in', {}, signIn).click();
    await other.heading(words.of('dashboard:title')).waitFor();
    return other;
  };
  const signedOut = ({ dialog: find }: Person) => find(words.of('auth:sign_in')).waitFor();
  const ends = page
    .getByRole('listitem')
    .getByRole('button', { name: words.like('settings:end_session_of') });

  const first = await elsewhere();
  await person.goTo('dashboard');
  await openSettings();
  await page.getByText(words.of('settings:this_one')).waitFor();
  await ends.click();
  await signedOut(first);
  await ends.waitFor({ state: 'detached' });

  const second = await elsewhere();
  await button('settings:everywhere').click();
  await button('settings:everywhere', {}, dialog(words.of('settings:everywhere_title'))).click();
  await signedOut(person);
  await signedOut(second);
  expect(await stored()).not.toHaveProperty('auth_token');
  const api = await apiOf(product, second);
  await expect(api.call(routes.listSessions)).rejects.toThrow('AUTH_REQUIRED');
});
