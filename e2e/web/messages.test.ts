import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPerson, type Person } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, chooseToken } from './lib/steps.ts';

// The sentences of spec §5 stand here word for word, not as the app's own texts have them.

let product: Product;
let person: Person;

beforeAll(async () => {
  product = await startProduct('messages');
  person = await createPerson(product, { device: 'desktop', language: 'en' });
});

afterAll(() => product.close());

beforeEach(() => person.page.keyboard.press('Escape'));

/** The summary above the form, which the same sentences stand in as beside the fields. */
const summary = () => person.page.getByRole('alert').getByRole('listitem');

async function submit(name: string): Promise<string[]> {
  await person.page.getByRole('button', { name, exact: true }).last().click();
  await summary().first().waitFor();
  return await summary().allInnerTexts();
}

const field = (name: string) => person.page.getByLabel(name, { exact: true });

test('sign-in', async () => {
  expect(await submit('Sign In')).toEqual([
    'Username is required',
    'Password must be at least 6 characters long',
  ]);
  await field('Username').fill('somebody');
  expect(await summary().allInnerTexts()).toEqual(['Password must be at least 6 characters long']);
  await field('Password').fill('12345');
  expect(await summary().count()).toBe(0);
  expect(await submit('Sign In')).toEqual(['Password must be at least 6 characters long']);
  await field('Password').fill('123456');
  expect(await submit('Sign In')).toEqual(['The username or the password is wrong.']);
  await field('Password').fill('1234567');
  expect(await summary().count()).toBe(0);
});

test('Solana wallet', async () => {
  await person.register('messages');
  await person.goToWallets('solana');
  await person.button('wallets:add').click();
  expect(await submit('Generate wallet')).toEqual(['Please enter a wallet name']);
  await person.page.getByText('Import', { exact: true }).click();
  expect(await submit('Import wallet')).toEqual(['Please enter a wallet name', 'Please enter a private key']);
  await field('Name').fill('one');
  await field('Private key').fill('[1, 2, 3]');
  expect(await submit('Import wallet')).toEqual([
    'Invalid private key format. Please use base58 string or array format.',
  ]);
  // A refused key is not kept in the page.
  expect(await field('Private key').inputValue()).toBe('');
});

test('BSC wallet', async () => {
  await person.goToWallets('bsc');
  await person.button('wallets:add').click();
  await person.page.getByText('Import', { exact: true }).click();
  const add = person.button('wallets:submit_import');
  expect(await add.isDisabled()).toBe(true);
  await field('Name').fill('  ');
  await field('Private key').fill('0x12');
  expect(await add.isDisabled()).toBe(true);
  await field('Name').fill('one');
  expect(await submit('Import wallet')).toEqual([
    'Invalid private key format. Please use exactly 64 hex characters, with or without 0x.',
  ]);
});

test('a bot needs a wallet first', async () => {
  await person.goToBots('solana');
  await person.page.getByText('Add a wallet first: a bot trades from one.').waitFor();
  expect(await person.button('bots:create').isDisabled()).toBe(true);
});

test('Solana bot', async () => {
  await person.goToWallets('solana');
  await addGeneratedWallet(person, 'solana', 'one');
  await person.goToBots('solana');
  await person.button('bots:create').first().click();
  await field('Minimum amount').fill('2');
  await field('Minimum interval').fill('180');
  expect(await submit('Create')).toEqual([
    'Please enter a bot name',
    'Please enter a valid token address',
    'Minimum amount must be less than maximum amount',
    'Minimum interval must be less than maximum interval',
  ]);
  await field('Name').fill('one');
  await field('Minimum amount').fill('0.001');
  await field('Minimum interval').fill('29');
  await field('Token address').fill('no address');
  await person.page.getByText('Invalid token address: Invalid Address', { exact: true }).waitFor();
  await field('Token address').fill('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
  await person.page.getByText('Invalid token address: Token Not Found', { exact: true }).waitFor();
  expect(await submit('Create')).toEqual([
    'Please enter a valid token address',
    'Enter 0.01 or more',
    'Enter a value from 30 to 3,600',
  ]);
  await chooseToken(person, 'solana', person.dialog('Create bot'));
  await field('Minimum interval').fill('');
  await field('Maximum interval').fill('');
  await field('Name').focus();
  expect(await field('Minimum interval').inputValue()).toBe('30');
  expect(await submit('Create')).toContain('Minimum interval must be less than maximum interval');
});

test('BSC bot', async () => {
  await person.goToWallets('bsc');
  await addGeneratedWallet(person, 'bsc', 'one');
  await person.goToBots('bsc');
  await person.button('bots:create').first().click();
  const dialog = person.dialog('Create bot');
  expect(await field('Minimum amount').inputValue()).toBe('0.01');
  await dialog.getByText('Sell', { exact: true }).click();
  expect(await field('Minimum amount').inputValue()).toBe('100');
  expect(await field('Maximum amount').inputValue()).toBe('500');
  await field('Slippage').fill('20.1');
  await field('Token address (BEP-20)').fill('0x12');
  await person.page.getByText('Invalid token address: Invalid Address', { exact: true }).waitFor();
  expect(await submit('Create')).toEqual([
    'Please enter a bot name',
    'Please enter a valid token address',
    'Enter a value from 0.1 to 20',
  ]);
  await field('Slippage').fill('');
  await field('Name').focus();
  expect(await field('Slippage').inputValue()).toBe('1');
});
