import { routes, type Action, type Chain, type FastSwapPreviewLeg } from '@kervan/contract';
import { parseUnits } from '@kervan/domain';
import type { Response } from 'playwright-core';
import { expect } from 'vitest';
import type { Granted } from '../../lib/audit.ts';
import type { ReadMovement } from '../../lib/chain-movements.ts';
import type { ApiClient } from '../../lib/api-client.ts';
import { layers } from './inspect.ts';
import type { Person } from './person.ts';
import { chooseToken } from './steps.ts';

const VIEW = { solana: 'fastswap', bsc: 'fastswapbsc' } as const;
const DECIMALS = { solana: 9, bsc: 18 } as const satisfies Record<Chain, number>;

/** Wallets with coins, made over the API. */
export async function makeWallets(
  api: ApiClient,
  chain: Chain,
  count: number,
  amount: string,
): Promise<Granted[]> {
  const nativeUnits = parseUnits(amount, DECIMALS[chain]) ?? 0n;
  const granted: Granted[] = [];
  // One by one: the list shows them in the order in which they were made.
  for (let number = 1; number <= count; number++) {
    const body = { name: `swap ${String(number).padStart(2, '0')}` };
    const address =
      chain === 'solana'
        ? (await api.call(routes.createWallet, { body })).public_key
        : (await api.call(routes.createBscWallet, { body })).address;
    await api.call(routes.faucet, { body: { chain, address, amount } });
    granted.push({ chain, address, nativeUnits, tokens: new Map() });
  }
  return granted;
}

export async function openFastSwap({ goTo, heading, words }: Person, chain: Chain): Promise<void> {
  await goTo(VIEW[chain]);
  await heading(words.of(`fastswap:title.${chain}`)).waitFor();
}

/** The tokens that were swapped last, as buttons. */
export function recentTokens({ page, words }: Person) {
  return page.getByRole('form').getByText(words.of('fastswap:recent')).getByRole('button');
}

/** Chooses the mode, the sandbox's token and every wallet that can trade, which must be `count`. */
export async function fillIn(person: Person, chain: Chain, mode: Action, count: number): Promise<void> {
  const { words, button, page } = person;
  const form = page.getByRole('form', { name: words.of(`fastswap:title.${chain}`) });
  await form
    .getByRole('radiogroup', { name: words.of('fastswap:mode') })
    .getByText(words.of(`fastswap:${mode}`), { exact: true })
    .click();
  const recent = recentTokens(person);
  if ((await recent.count()) === 0) await chooseToken(person, chain, form);
  else await recent.first().click();
  await form.getByRole('status').getByText(words.like('token:decimals_other')).waitFor();
  await button('common:action.refresh', {}, form).click();
  const none = { count, chosen: 0, total: count };
  await page.getByRole('checkbox', { name: words.of('fastswap:select_all', none), exact: true }).click();
  await page
    .getByRole('checkbox', { name: words.of('fastswap:select_all', { ...none, chosen: count }), exact: true })
    .waitFor();
}

/** Opens the review, and holds what it says against what the server quotes for it. */
export async function review(
  person: Person,
  count: number,
  open: () => Promise<void> = () => person.button('fastswap:review').click(),
): Promise<void> {
  const { words, dialog, page } = person;
  const quoted: Promise<FastSwapPreviewLeg[]>[] = [];
  const keepLegs = (response: Response): void => {
    if (!response.url().endsWith('/fast-swap/preview')) return;
    // The app has checked it against the contract by the time it is on the screen.
    quoted.push(response.json().then(({ data }: { data: { legs: FastSwapPreviewLeg[] } }) => data.legs));
  };
  page.on('response', keepLegs);
  await open();
  const modal = dialog(words.of('fastswap:review_title'));
  const rows = modal.getByRole('listitem');
  await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(count);
  page.off('response', keepLegs);
  const legs = new Map((await Promise.all(quoted)).flat().map((leg) => [leg.address, leg]));
  expect(legs.size).toBe(count);

  const shown = await rows.evaluateAll((items) =>
    items.map((item) => ({
      address: item.querySelector('[title]')?.getAttribute('title') ?? '',
      amounts: [...item.querySelectorAll('[data-value]')].map((each) => each.getAttribute('data-value')),
    })),
  );
  for (const { address, amounts } of shown) {
    const leg = legs.get(address);
    expect(leg?.error).toBeNull();
    expect(amounts).toEqual([leg?.amountIn, leg?.expectedOut, leg?.minimumOut, leg?.fee]);
  }
  for (const [key, field] of [
    ['pay', 'amountIn'],
    ['receive', 'expectedOut'],
    ['minimum', 'minimumOut'],
    ['fees', 'fee'],
  ] as const) {
    const sum = [...legs.values()].reduce(
      (total, leg) => total + (parseUnits(leg[field] ?? '', 18) ?? 0n),
      0n,
    );
    const term = modal.getByRole('term').filter({ hasText: words.of(`fastswap:${key}`) });
    const value = await term
      .locator('xpath=following-sibling::dd')
      .locator('[data-value]')
      .getAttribute('data-value');
    expect([key, parseUnits(value ?? '', 18)]).toEqual([key, sum]);
  }
}

/** The button that sends it. */
export function confirmation({ words, dialog }: Person, mode: Action, count: number) {
  const names = ['confirm', 'confirm_anyway'].map((verb) => words.of(`fastswap:${verb}_${mode}`, { count }));
  return dialog(words.of('fastswap:review_title')).getByRole('button', {
    name: new RegExp(`^(${names.join('|')})$`),
  });
}

export const results = ({ page, words }: Person) =>
  page.getByRole('region', { name: words.of('fastswap:results'), exact: true });

/** The results say so many, and nothing is under way any more. */
export async function ended(person: Person, counts: { traded: number; failed: number }): Promise<void> {
  await results(person)
    .getByText(person.words.of('fastswap:counts', counts), { exact: true })
    .waitFor({ timeout: 60_000 });
  await expect.poll(() => layers(person.page).count()).toBe(0);
}

interface Traded {
  readonly chain: Chain;
  readonly mode: Action;
  readonly tokenAddress: string;
  readonly tokenDecimals: number;
}

/** Each line of the results, with the amounts that its transaction moved by the chain's own record. Names the wallets. */
export async function expectChainAgrees(
  person: Person,
  { chain, mode, tokenAddress, tokenDecimals }: Traded,
  read: ReadMovement,
): Promise<string[]> {
  const lines = await results(person)
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.map((item) => ({
        // The wallet, and the transaction.
        titles: [...item.querySelectorAll('code[title]')].map((each) => each.getAttribute('title') ?? ''),
        amounts: [...item.querySelectorAll('[data-value]')].map((each) => each.getAttribute('data-value')),
      })),
    );
  const addresses: string[] = [];
  for (const { titles, amounts } of lines) {
    const [address = '', hash = ''] = titles;
    addresses.push(address);
    const movement = await read(hash, {
      wallet_address: address,
      token_address: tokenAddress,
      action: mode,
    });
    const [native, token] = mode === 'buy' ? amounts : amounts.toReversed();
    expect({
      address,
      native: parseUnits(native ?? '', DECIMALS[chain]),
      token: parseUnits(token ?? '', tokenDecimals),
    }).toEqual({ address, native: movement?.nativeUnits, token: movement?.tokenUnits });
    expect(movement?.isSuccess).toBe(true);
  }
  return addresses;
}
