import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Person } from './person.ts';
import { RESULTS } from './product.ts';

const RULES: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

// In the page.
const IS_STILL = "document.getAnimations().length === 0 && document.querySelector('[data-loading]') === null";
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const VIOLATIONS = `axe.run(document, ${JSON.stringify(RULES)}).then(({ violations }) => violations)`;

export interface Inspector {
  /** Looks at what is on the screen now, and takes a picture of it under this name. */
  readonly look: (name: string) => Promise<void>;
  /** What was found wrong, in words; empty when all is well. */
  readonly faults: readonly string[];
}

/** The modals, sheets and questions that are open. */
export function layers(page: Page): Locator {
  return page.getByRole('dialog').or(page.getByRole('alertdialog'));
}

/** Checks each state of the screen against axe's rules, and that nothing is wider than the screen. */
export async function createInspector({ page }: Person, folderName: string): Promise<Inspector> {
  const folder = join(RESULTS, 'screens', folderName);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // Once for the page, as it is large; a reload would forget it.
  await page.evaluate(axe.source);
  const faults: string[] = [];
  let count = 0;
  return {
    faults,
    async look(name) {
      count++;
      await vi.waitUntil(() => page.evaluate<boolean>(IS_STILL), { timeout: 10_000 });
      // A whole page, but a layer as it stands over it.
      const hasLayer = (await layers(page).count()) > 0;
      const path = join(folder, `${String(count).padStart(2, '0')}-${name}.png`);
      await page.screenshot({ path, fullPage: !hasLayer });
      const violations = await page.evaluate<AxeResults['violations']>(VIOLATIONS);
      for (const { id, nodes } of violations) {
        for (const { target, failureSummary } of nodes) {
          faults.push(`${name}: ${id} at ${target.join(' ')}: ${failureSummary}`);
        }
      }
      const overflow = await page.evaluate<number>(OVERFLOW);
      if (overflow > 0) faults.push(`${name}: ${overflow} px wider than the screen`);
    },
  };
}
