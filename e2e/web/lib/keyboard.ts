import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** More presses of Tab than any screen has stops. */
const STOPS_MAX = 80;

/** The hands on a keyboard: nothing here uses the pointer. */
export function keyboardOf({ page, words }: Person) {
  const { keyboard } = page;
  const press = (key: string) => keyboard.press(key);
  const hasFocus = (target: Locator) => target.evaluate((element) => element.matches(':focus'));

  /** Tab until it is there, as somebody would who looks where the ring is. */
  async function tabTo(target: Locator, key = 'Tab'): Promise<void> {
    // A radio is drawn by its label.
    await target.waitFor({ state: 'attached' });
    for (let stop = 0; stop < STOPS_MAX; stop++) {
      if (await hasFocus(target)) return;
      await press(key);
    }
    throw new Error(`Tab does not reach ${target.toString()}`);
  }

  async function expectFocus(target: Locator): Promise<void> {
    await expect.poll(() => hasFocus(target), { timeout: 10_000 }).toBe(true);
  }

  async function activate(target: Locator): Promise<void> {
    await tabTo(target);
    await press('Enter');
  }

  async function fill(target: Locator, text: string): Promise<void> {
    await tabTo(target);
    await press('ControlOrMeta+A');
    await keyboard.type(text);
  }

  async function goTo(view: string): Promise<void> {
    const bar = page.getByRole('navigation', { name: words.of('shell:nav.main') });
    await activate(bar.getByRole('button', { name: words.of(`shell:view.${view}`), exact: true }));
  }

  return { press, tabTo, expectFocus, activate, fill, goTo };
}
