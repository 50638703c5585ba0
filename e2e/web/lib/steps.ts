import { NATIVE, type Chain } from '@kervan/contract';
import type { Locator } from 'playwright-core';
import { vi } from 'vitest';
import type { Person } from './person.ts';

/** A token that the sandbox of each chain offers. */
export const TOKEN = { solana: 'USDC', bsc: 'sCAKE' } as const satisfies Record<Chain, string>;

/** A number as a person of that language types and reads it. */
export function decimal({ language }: Person, text: string): string {
  return language === 'tr' ? text.replace('.', ',') : text;
}

/** Lets the vault make a key. The chain's wallets must be open. */
export async function addGeneratedWallet(person: Person, chain: Chain, name: string): Promise<void> {
  const { words, button, dialog, field, card } = person;
  await button('wallets:add').click();
  const modal = dialog(words.of(`wallets:add_title.${chain}`));
  await field('wallets:name', modal).fill(name);
  await button('wallets:submit_generate', {}, modal).click();
  await modal.waitFor({ state: 'hidden' });
  await card(name).waitFor();
}

/** Ten coins from the faucet, until they show on the card. */
export async function fund(person: Person, chain: Chain, name: string): Promise<void> {
  const { words, button, dialog, card, page } = person;
  const { symbol } = NATIVE[chain];
  await button('wallets:faucet_for', { name }).click();
  const modal = dialog(words.of('wallets:faucet_title', { name }));
  await button('wallets:request', {}, modal).click();
  await modal.getByText(words.of('wallets:granted', { amount: '10', symbol })).waitFor();
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'hidden' });
  await card(name)
    .getByText(`${decimal(person, '10.0000')} ${symbol}`)
    .waitFor();
}

/** A small buyer every half minute. The chain's bots must be open. */
export async function createBot(person: Person, chain: Chain, name: string): Promise<void> {
  const { words, button, dialog, field, card } = person;
  // Where there is none yet it is offered twice.
  await button('bots:create').first().click();
  const modal = dialog(words.of('bots:create_title'));
  await field('bots:form.name', modal).fill(name);
  await chooseToken(person, chain, modal);
  await field('bots:form.amount_min', modal).fill(decimal(person, '0.01'));
  await field('bots:form.amount_max', modal).fill(decimal(person, '0.02'));
  await field('bots:form.range_time_min', modal).fill('30');
  await field('bots:form.range_time_max', modal).fill('31');
  await button('common:action.create', {}, modal).click();
  await modal.waitFor({ state: 'hidden' });
  await card(name).waitFor();
}

/** By the sandbox's suggestions below the address, until the network has said what token it is. */
export async function chooseToken({ words }: Person, chain: Chain, form: Locator): Promise<void> {
  await form.getByRole('button', { name: TOKEN[chain], exact: true }).click();
  const status = form.getByRole('status').filter({ hasText: TOKEN[chain] });
  await status.getByText(words.like('token:decimals_other')).waitFor();
}

export async function start({ words, button, card }: Person, name: string): Promise<void> {
  await button('bots:card.start', {}, card(name)).click();
  await card(name).getByText(words.of('common:bot_status.active'), { exact: true }).waitFor();
  await card(name).getByText(words.like('bots:card.next')).waitFor();
}

export async function stop(person: Person, name: string): Promise<void> {
  const { words, button, card } = person;
  await toastsGone(person);
  await button('bots:card.stop', {}, card(name)).click();
  await card(name).getByText(words.of('common:bot_status.inactive'), { exact: true }).waitFor();
  await card(name).getByText(words.of('bots:card.not_scheduled')).waitFor();
}

/** One trade at once, until the chain has confirmed it. */
export async function tradeNow({ words, button, dialog, card }: Person, name: string): Promise<void> {
  await button('bots:card.trade_now', {}, card(name)).click();
  await button('bots:trade.verb_buy', {}, dialog(words.of('bots:trade.confirm', { name }))).click();
  await card(name).getByText(words.of('bots:trade.success')).waitFor();
}

/** The toast of a trade that went well. */
export function tradeToast({ words, page }: Person, chain: Chain): Locator {
  const title = words.of('shell:toast.success', { chain: words.of(`common:chain.${chain}`) });
  return page.getByRole('alert').filter({ hasText: title });
}

export async function openConsole(person: Person, name: string): Promise<void> {
  const { words, button, card, heading } = person;
  await button('bots:card.console', {}, card(name)).click();
  await heading(words.of('console:title', { name })).waitFor();
}

/** The console's lines, as far as they are in sight. */
export function logLines({ words, page }: Person): Locator {
  return page.getByRole('region', { name: words.of('console:log_title') }).getByRole('listitem');
}

/** Those that say what was bought. */
export function boughtLines(person: Person): Locator {
  return logLines(person).filter({ hasText: person.words.like('console:log.bought') });
}

/** Waits until no toast is left: on a phone one may stand over a card's buttons. */
async function toastsGone({ page }: Person): Promise<void> {
  // Under the pointer it would stay.
  await page.mouse.move(0, 0);
  await vi.waitUntil(async () => (await page.getByRole('alert').count()) === 0, { timeout: 20_000 });
}

export async function deleteBot(person: Person, name: string): Promise<void> {
  const { words, button, dialog, card } = person;
  await toastsGone(person);
  await button('common:action.delete', {}, card(name)).click();
  await button('bots:delete.verb', {}, dialog(words.of('bots:delete.title', { name }))).click();
  await card(name).waitFor({ state: 'detached' });
}
