import { randomBytes } from 'node:crypto';
import { API_BASE, routes, type Chain } from '@kervan/contract';
import { connect, type Database } from '@kervan/database';
import { parseUnits } from '@kervan/domain';
import type { Locator } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, type Granted } from '../lib/audit.ts';
import { bscMovements, solanaMovements, type ReadMovement } from '../lib/chain-movements.ts';
import { bscRecord, solanaRecord } from '../lib/chain-record.ts';
import { apiOf } from './lib/api-of.ts';
import { keyboardOf } from './lib/keyboard.ts';
import { createPerson, type Person } from './lib/person.ts';
import { startProduct, type Look, type Product } from './lib/product.ts';
import { chooseToken, TOKEN } from './lib/steps.ts';
import {
  confirmation,
  ended,
  expectChainAgrees,
  fillIn,
  makeWallets,
  openFastSwap,
  recentTokens,
  results,
  review,
} from './lib/swap-steps.ts';

let product: Product;
let db: Database;
const granted: Granted[] = [];

beforeAll(async () => {
  product = await startProduct('fast-swap');
  db = connect(product.stack.databaseUrl, { max: 2 });
});

afterAll(async () => {
  await db.destroy();
  await product.close();
});

const WALLETS = 20;

async function sandboxOf(person: Person) {
  const api = await apiOf(product, person);
  const sandbox = await api.call(routes.getSandbox);
  const traded = (chain: Chain) => {
    const token = sandbox[chain].tokens.find(({ symbol }) => symbol === TOKEN[chain]);
    if (!token) throw new Error(`the sandbox has no ${TOKEN[chain]}`);
    return { chain, tokenAddress: token.address, tokenDecimals: token.decimals };
  };
  const read: Record<Chain, ReadMovement> = {
    solana: solanaMovements(sandbox.solana.rpcUrl),
    bsc: bscMovements(sandbox.bsc.rpcUrl),
  };
  return { api, sandbox, traded, read };
}

/** The keys under which orders leave the page. */
function ordersOf({ page }: Person): string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/fast-swap'))
      keys.push(request.headers()['idempotency-key'] ?? 'none');
  });
  return keys;
}

/** All of the token that was bought last, from every wallet that has it. */
async function reviewSaleByKeyboard(person: Person, count: number): Promise<void> {
  const { page, words, button } = person;
  const { press, tabTo, activate, expectFocus } = keyboardOf(person);
  await tabTo(page.getByRole('radio', { name: words.of('fastswap:buy'), exact: true }));
  await press('ArrowRight');
  await activate(recentTokens(person).first());
  await tabTo(page.getByRole('slider'));
  await press('End');
  const none = words.of('fastswap:select_all', { count, chosen: 0, total: count });
  await tabTo(page.getByRole('checkbox', { name: none, exact: true }));
  await press('Space');
  await tabTo(button('fastswap:review'));
  await review(person, count, () => press('Enter'));
  await expectFocus(button('common:action.cancel'));
}

const chains: (Look & { chain: Chain; orders: number })[] = [
  { chain: 'solana', device: 'desktop', language: 'en', orders: WALLETS / 5 },
  { chain: 'bsc', device: 'desktop', language: 'tr', orders: 1 },
];

test.each(chains)(
  'twenty wallets buy and sell at once: $chain, $language',
  async ({ chain, orders, ...look }) => {
    const person = await createPerson(product, look);
    const { page, words, goTo, heading } = person;
    const { press, tabTo } = keyboardOf(person);
    await person.register(`swapper ${chain}`);
    const { api, traded, read } = await sandboxOf(person);
    const wallets = await makeWallets(api, chain, WALLETS, '1');
    granted.push(...wallets);
    const sent = ordersOf(person);

    await openFastSwap(person, chain);
    for (const mode of ['buy', 'sell'] as const) {
      sent.length = 0;
      const confirm = confirmation(person, mode, WALLETS);
      if (mode === 'buy') {
        await fillIn(person, chain, mode, WALLETS);
        await review(person, WALLETS);
        await confirm.dblclick();
      } else {
        await reviewSaleByKeyboard(person, WALLETS);
        await tabTo(confirm);
        await press('Enter');
        await press('Enter');
      }
      if (mode === 'buy') {
        // It goes on whichever view is open, and its results are there when one comes back.
        await goTo('dashboard');
        await heading(words.of('dashboard:title')).waitFor();
        await openFastSwap(person, chain);
      }
      await ended(person, { traded: WALLETS, failed: 0 });
      const count = WALLETS;
      await page
        .getByRole('alert')
        .getByText(words.of(`fastswap:toast.${chain}_success`, { count }), { exact: true })
        .first()
        .waitFor();
      expect([mode, new Set(sent).size, sent.length]).toEqual([mode, orders, orders]);
      const shown = await expectChainAgrees(person, { ...traded(chain), mode }, read[chain]);
      expect(shown.toSorted()).toEqual(wallets.map(({ address }) => address).toSorted());
    }
    // All of it was sold: nobody has anything to sell any more.
    await page.getByText(words.of('fastswap:no_balance'), { exact: true }).waitFor();
    expect(person.complaints).toEqual([]);
  },
);

test('on a phone: an answer that got lost, and a batch that is refused', async () => {
  const person = await createPerson(product, { device: 'phone', language: 'tr' });
  const { page, button } = person;
  await person.register('phone');
  const { api, traded, read } = await sandboxOf(person);
  const wallets = await makeWallets(api, 'solana', 6, '1');
  granted.push(...wallets);
  const sent = ordersOf(person);
  const isInSight = async (part: Locator) => {
    const box = await part.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844;
  };

  await openFastSwap(person, 'solana');
  await fillIn(person, 'solana', 'buy', 6);
  await review(person, 6);
  const confirm = confirmation(person, 'buy', 6);
  expect(await isInSight(confirm)).toBe(true);
  expect((await confirm.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const orders = `**${API_BASE}${routes.fastSwap.path}`;
  await page.route(
    orders,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await confirm.click();
  // They stand below the form, and come into sight by themselves.
  await expect.poll(() => isInSight(results(person).getByRole('status'))).toBe(true);
  await ended(person, { traded: 6, failed: 0 });
  expect([sent.length, new Set(sent).size]).toEqual([3, 2]);
  const shown = await expectChainAgrees(person, { ...traded('solana'), mode: 'buy' }, read.solana);
  expect(shown.toSorted()).toEqual(wallets.map(({ address }) => address).toSorted());
  await button('fastswap:clear_results').click();
  await results(person).waitFor({ state: 'detached' });

  await fillIn(person, 'solana', 'sell', 6);
  await review(person, 6);
  await page.route(orders, async (route) => {
    if (sent.length < 5) return await route.fallback();
    const error = { code: 'TRADING_HALTED', message: 'halted', context: {}, requestId: 'of-this-test' };
    await route.fulfill({ status: 409, json: { success: false, data: null, error, meta: {} } });
  });
  await confirmation(person, 'sell', 6).click();
  await ended(person, { traded: 5, failed: 1 });
  await page
    .getByRole('alert')
    .getByText(/^Batch 2\/2: Hata - ./)
    .waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
});

test('pasted keys trade, and are kept nowhere', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  const { page, button, field } = person;
  await person.register('paster');
  const { api, traded, read } = await sandboxOf(person);
  const keys = [0, 1].map(() => randomBytes(32).toString('hex'));
  for (const key of keys) {
    const { address } = privateKeyToAccount(`0x${key}`);
    await api.call(routes.faucet, { body: { chain: 'bsc', address, amount: '1' } });
    granted.push({ chain: 'bsc', address, nativeUnits: parseUnits('1', 18) ?? 0n, tokens: new Map() });
  }

  await openFastSwap(person, 'bsc');
  await chooseToken(person, 'bsc', page.getByRole('form'));
  await page.getByText('Pasted keys', { exact: true }).click();
  const pasted = field('fastswap:keys');
  expect(await button('fastswap:review').isDisabled()).toBe(true);
  await pasted.fill('no key\n0x12');
  await button('fastswap:review').click();
  await page.getByRole('alert').getByText('No valid private keys provided', { exact: true }).waitFor();

  const places = () =>
    page.evaluate<string>(
      `[document.documentElement.outerHTML, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value),
        JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join('\\n').toLowerCase()`,
    );
  const found = async () => {
    const everything = await places();
    return keys.filter((key) => everything.includes(key));
  };
  await pasted.fill([`0x${keys[0] ?? ''}`, 'no key', keys[1]].join('\n'));
  await page.getByText('2 valid keys. 1 line is no key and is left out.', { exact: true }).waitFor();
  // The search itself must be able to find.
  expect(await found()).toEqual(keys);
  await review(person, 2);
  await confirmation(person, 'buy', 2).click();
  expect(await pasted.inputValue()).toBe('');
  expect(await found()).toEqual([]);
  await ended(person, { traded: 2, failed: 0 });
  expect(await found()).toEqual([]);
  await expectChainAgrees(person, { ...traded('bsc'), mode: 'buy' }, read.bsc);
  expect(person.complaints).toEqual([]);
});

test('what both chains say is what the product says, and nothing was sent twice', async () => {
  const person = await createPerson(product, { device: 'desktop', language: 'en' });
  await person.register('auditor');
  const { sandbox } = await sandboxOf(person);
  const report = await audit(
    db,
    { solana: solanaRecord(sandbox.solana.rpcUrl), bsc: bscRecord(sandbox.bsc.rpcUrl) },
    granted,
  );
  expect(report).toMatchObject({ faults: [], failed: 0 });
});
