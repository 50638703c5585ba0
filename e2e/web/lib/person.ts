import type { Chain } from '@kervan/contract';
import type { Locator, Page } from 'playwright-core';
import type { Look, Product } from './product.ts';
import { wordsIn, type Values, type Words } from './words.ts';

export const PASSWORD = 'correct horse battery';

/** In the bottom bar of a phone; all others are behind More. */
const IN_BAR: readonly string[] = ['dashboard', 'wallets', 'bots', 'fastswap'];
const WALLETS = { solana: 'wallets', bsc: 'walletsbsc' } as const;
const BOTS = { solana: 'bots', bsc: 'botsbsc' } as const;

/** Somebody who uses the app in one language on one device, and finds everything by its role and name. */
export interface Person extends Look {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly words: Words;
  /** By a key of the app's texts, as are the fields. */
  readonly button: (key: string, values?: Values, within?: Locator) => Locator;
  readonly field: (key: string, within?: Locator) => Locator;
  readonly heading: (name: string) => Locator;
  /** The layer that asks or tells something: modal, sheet or confirmation. */
  readonly dialog: (name: string) => Locator;
  /** The card of a wallet or bot. */
  readonly card: (name: string) => Locator;
  readonly register: (username: string) => Promise<void>;
  readonly goTo: (view: string) => Promise<void>;
  readonly goToWallets: (chain: Chain) => Promise<void>;
  readonly goToBots: (chain: Chain) => Promise<void>;
}

export async function createPerson(product: Product, look: Look): Promise<Person> {
  const { page, complaints } = await product.open(look);
  const words = wordsIn(look.language);
  const body = page.locator('body');

  const button: Person['button'] = (key, values, within = body) =>
    within.getByRole('button', { name: words.of(key, values), exact: true });
  const field: Person['field'] = (key, within = body) => within.getByLabel(words.of(key), { exact: true });
  const heading: Person['heading'] = (name) => page.getByRole('heading', { name, exact: true });
  const dialog: Person['dialog'] = (name) =>
    page.getByRole('dialog', { name, exact: true }).or(page.getByRole('alertdialog', { name, exact: true }));

  async function register(username: string): Promise<void> {
    await button('auth:register', {}, dialog(words.of('auth:sign_in'))).click();
    const form = dialog(words.of('auth:register'));
    await field('auth:username', form).fill(username);
    await field('auth:password', form).fill(PASSWORD);
    await button('auth:register', {}, form).click();
    await heading(words.of('dashboard:title')).waitFor();
    await page.getByText(words.of('shell:connection.live'), { exact: true }).waitFor();
  }

  async function goTo(view: string): Promise<void> {
    const name = words.of(`shell:view.${view}`);
    const bar = page.getByRole('navigation', { name: words.of('shell:nav.main') });
    if (look.device === 'desktop' || IN_BAR.includes(view)) {
      await bar.getByRole('button', { name, exact: true }).click();
      return;
    }
    await button('shell:nav.more', {}, bar).click();
    const sheet = dialog(words.of('shell:nav.more_title'));
    const described = `${name} ${words.of(`shell:describe.${view}`)}`;
    await sheet.getByRole('button', { name: described, exact: true }).click();
  }

  return {
    ...look,
    page,
    complaints,
    words,
    button,
    field,
    heading,
    dialog,
    card: (name) => page.getByRole('listitem').filter({ has: heading(name) }),
    register,
    goTo,
    async goToWallets(chain) {
      await goTo(WALLETS[chain]);
      await heading(words.of(`wallets:title.${chain}`)).waitFor();
    },
    async goToBots(chain) {
      await goTo(BOTS[chain]);
      await heading(words.of(`bots:title.${chain}`)).waitFor();
    },
  };
}
