import type { Chain } from '@kervan/contract';
import type { Locator } from 'playwright-core';
import type { Person } from './person.ts';
import { chooseToken } from './steps.ts';

const VIEWS = { solana: 'volumemaker', bsc: 'volumemakerbsc' } as const satisfies Record<Chain, string>;

export async function goToVolume({ goTo, heading, words }: Person, chain: Chain): Promise<void> {
  await goTo(VIEWS[chain]);
  await heading(words.of(`volume:title.${chain}`)).waitFor();
}

/** What a session is started with, while none is under way. */
export function volumeForm({ words, page }: Person): Locator {
  return page.getByRole('form', { name: words.of('volume:form') });
}

/** Fills the form for a session that makes a move every 5 s. Who funds it is left to be chosen. */
export async function fillVolumeForm(person: Person, chain: Chain): Promise<void> {
  const form = volumeForm(person);
  await chooseToken(person, chain, form);
  await person.field('volume:interval', form).fill('5');
}

/** Presses the button and answers its question with yes, by keyboard alone. */
export async function pressAndConfirm({ page, button, dialog, words }: Person, verb: string): Promise<void> {
  await button(verb).focus();
  await page.keyboard.press('Enter');
  const question = dialog(words.of(`${verb}_title`));
  await question.waitFor();
  // The question is answered with no unless one goes on to the yes.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
}

/** The region of the page under that heading. */
export function section({ page, heading }: Person, name: string): Locator {
  return page.getByRole('region', { name, exact: true }).filter({ has: heading(name) });
}
