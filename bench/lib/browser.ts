import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../../e2e/web/lib/browser.ts';
import { orInterrupted } from './interruption.ts';

/** What in-page/watch.js has noted, in milliseconds. Moments count from the start of the navigation. */
export interface PageNotes {
  /** When the sign-in form was painted; null just before it is. */
  readonly formMs?: number | null;
  /** When the form had painted what is wrong in it. */
  readonly answerMs?: number | null;
  /** When the first view of somebody signed in was painted. */
  readonly homeMs?: number | null;
  /** Tasks of more than 50 ms, which is what browsers call long. */
  readonly longTasksMs: readonly number[];
  /** From input to the next picture; where that took 16 ms or more. */
  readonly clicksMs: readonly number[];
}

declare global {
  // In the page only.
  var kervanBench: PageNotes;
}

type Moment = 'formMs' | 'answerMs' | 'homeMs';

export interface BenchPage {
  readonly page: Page;
  /** The browser's own protocol to the page. */
  readonly protocol: CDPSession;
  notes(): Promise<PageNotes>;
  /** Waits for a moment and answers it. */
  moment(name: Moment): Promise<number>;
}

const WATCH = fileURLToPath(new URL('in-page/watch.js', import.meta.url));
const VIEWPORT = { width: 1280, height: 800 };

/** Runs `use` with a browser, and closes that however it ends. */
export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await launchBrowser();
  try {
    return await orInterrupted(use(browser));
  } finally {
    await browser.close();
  }
}

/** Runs `use` with a desktop page in English that is watched, and that shares nothing with the pages before it. */
export async function withPage<T>(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: BenchPage) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ locale: 'en-US', viewport: VIEWPORT, ...options });
  try {
    await context.addInitScript({ path: WATCH });
    const page = await context.newPage();
    return await use({
      page,
      protocol: await context.newCDPSession(page),
      notes: async () => await page.evaluate(() => globalThis.kervanBench),
      async moment(name) {
        const handle = await page.waitForFunction((wanted: Moment) => globalThis.kervanBench[wanted], name);
        return Number(await handle.jsonValue());
      },
    });
  } finally {
    await context.close();
  }
}
