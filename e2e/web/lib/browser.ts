import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Chromium as it comes from npm where that is built for, elsewhere the Chrome that is installed. */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return await chromium.launch({ channel: 'chrome' });
  // Not the package's own arguments: they switch off the checks between origins, and run all in one process.
  return await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--font-render-hinting=none'],
  });
}
