import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '@kervan/contract';
import type { Browser, Page } from 'playwright-core';
import { startStack, type Stack } from '../../../apps/launcher/src/stack.ts';
import { launchBrowser } from './browser.ts';

export interface Look {
  readonly device: Device;
  readonly language: Language;
  readonly scheme?: 'dark' | 'light';
}
export type Device = 'desktop' | 'phone';

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;
const LOCALES: Readonly<Record<Language, string>> = { tr: 'tr-TR', en: 'en-US' };
/** Of one step of a person; generous, as tests of other things may run beside this one. */
const STEP_MS = 20_000;

export interface Opened {
  readonly page: Page;
  /** What the page complained of: exceptions, errors on its console, breaches of its own security policy. */
  readonly complaints: string[];
}

export interface Product {
  readonly stack: Stack;
  /** The app in a browser of its own: nothing is shared with another but the server. */
  open(look: Look): Promise<Opened>;
  close(): Promise<void>;
}

/** What tests leave behind for people to look at. */
export const RESULTS = fileURLToPath(new URL('../../../test-results', import.meta.url));

/** The whole product as `npm start` runs it, and a real browser to use it with. The name is that of its log. */
export async function startProduct(name: string): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kervan-web-'));
  await mkdir(RESULTS, { recursive: true });
  const output = createWriteStream(join(RESULTS, `${name}.log`));
  const stack = await startStack({ dataDir, output });
  let browser: Browser;
  try {
    browser = await launchBrowser();
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return {
    stack,
    async open({ device, language, scheme = 'dark' }) {
      const context = await browser.newContext({
        ...DEVICES[device],
        baseURL: stack.url,
        locale: LOCALES[language],
        colorScheme: scheme,
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      context.setDefaultTimeout(STEP_MS);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto('/');
      return { page, complaints };
    },
    async close() {
      await browser.close();
      await stack.stop();
      output.end();
      await rm(dataDir, { recursive: true });
    },
  };
}
