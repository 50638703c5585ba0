import { connect } from '@kervan/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInspector } from './lib/inspect.ts';
import { createPerson } from './lib/person.ts';
import { startProduct, type Product } from './lib/product.ts';
import { addGeneratedWallet, createBot, fund, start } from './lib/steps.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('connection');
});

afterAll(() => product.close());

test('a connection that is lost shows, and nothing stale is left when it is back', async () => {
  const { stack } = product;
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { words, card, page, heading } = person;
  const status = (name: string) => page.getByText(words.of(`shell:connection.${name}`), { exact: true });
  const dimmed = page.locator('[data-stale=true]');
  await person.register('connection');
  const inspector = await createInspector(person, 'connection');
  await person.goToWallets('solana');
  await addGeneratedWallet(person, 'solana', 'before');
  await fund(person, 'solana', 'before');
  await person.goToBots('solana');
  await createBot(person, 'solana', 'sleeper');
  await start(person, 'sleeper');
  await page.getByText(words.of('bots:active_count', { count: 1, active: 1, total: 1 })).waitFor();

  stack.kill('server', 'SIGKILL');
  await status('reconnecting').waitFor();
  expect(await dimmed.count()).toBe(1);

  // While nobody is there to tell the page, the world changes.
  const database = connect(stack.databaseUrl, { max: 1 });
  await database.updateTable('wallets').set({ name: 'after' }).execute();
  await database.updateTable('bots').set({ is_active: false, next_run_at: null }).execute();
  await database.destroy();

  // Down for so long that the age of what is shown is told.
  const stale = page.getByText(words.like('shell:connection.stale'));
  while (!(await stale.isVisible())) {
    await stack.ready('server');
    stack.kill('server', 'SIGKILL');
  }
  await inspector.look('stale');
  await stack.ready('server');

  await status('live').waitFor();
  expect(await dimmed.count()).toBe(0);
  await card('sleeper').getByText('after', { exact: true }).waitFor();
  await card('sleeper').getByText(words.of('common:bot_status.inactive'), { exact: true }).waitFor();
  await page.getByText(words.of('bots:active_count', { count: 1, active: 0, total: 1 })).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);

  await person.goTo('wallets');
  await heading(words.of('wallets:title.solana')).waitFor();
  await card('after').getByText('10.0000 SOL').waitFor();
  expect(await page.getByText(words.of('wallets:refresh_offline')).count()).toBe(0);
  expect(inspector.faults).toEqual([]);
});
