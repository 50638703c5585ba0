import { expect } from 'vitest';
import { layers } from './inspect.ts';
import type { Person } from './person.ts';

/** The server's answer to a call when something is wrong with it. */
export async function failing(person: Person, path: string, during: () => Promise<void>): Promise<void> {
  const error = { code: 'INTERNAL', message: 'broken', context: {}, requestId: 'request-of-this-test' };
  const body = JSON.stringify({ success: false, data: null, error, meta: {} });
  const url = `**/api/v1${path}`;
  await person.page.route(url, (route) => route.fulfill({ status: 500, body }));
  await during();
  await person.page.unroute(url);
}

/** Closes the layer on top, which must be the only one. */
export async function escape({ page }: Person): Promise<void> {
  await page.keyboard.press('Escape');
  await expect.poll(() => layers(page).count(), { timeout: 10_000 }).toBe(0);
}
