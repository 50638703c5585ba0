import type { Chain } from '@kervan/contract';
import { afterAll, beforeAll, test } from 'vitest';
import { createPerson } from './lib/person.ts';
import { startProduct, type Look, type Product } from './lib/product.ts';
import {
  addGeneratedWallet,
  boughtLines,
  createBot,
  deleteBot,
  fund,
  openConsole,
  start,
  stop,
  tradeNow,
  tradeToast,
} from './lib/steps.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct('journey');
});

afterAll(() => product.close());

const CHAINS = ['solana', 'bsc'] as const satisfies readonly Chain[];
/** A bot of the journey waits for 30 s, and trades in some more. */
const SCHEDULED_MS = 60_000;

const looks: Look[] = [
  { device: 'desktop', language: 'en' },
  { device: 'desktop', language: 'tr' },
  { device: 'phone', language: 'en' },
  { device: 'phone', language: 'tr' },
];

// All at once, as each spends most of its time waiting for the schedule.
test.concurrent.for(looks)(
  'a person trades with bots on both chains, by hand and on schedule: $device, $language',
  async (look, { expect }) => {
    const person = await createPerson(product, look);
    const { words, button, heading, page } = person;
    await person.register(`journey ${look.device} ${look.language}`);

    for (const chain of CHAINS) {
      await person.goToWallets(chain);
      await page.getByText(words.of('wallets:empty'), { exact: true }).waitFor();
      await addGeneratedWallet(person, chain, `purse ${chain}`);
      await fund(person, chain, `purse ${chain}`);
    }

    for (const chain of CHAINS) {
      const name = `buyer ${chain}`;
      await person.goToBots(chain);
      await createBot(person, chain, name);
      await start(person, name);
      await tradeNow(person, name);
      await tradeToast(person, chain).first().waitFor();
    }

    for (const chain of CHAINS) {
      const name = `buyer ${chain}`;
      await person.goToBots(chain);
      await openConsole(person, name);
      await expect
        .poll(() => boughtLines(person).count(), { timeout: SCHEDULED_MS })
        .toBeGreaterThanOrEqual(2);
      await button('console:back').click();

      await stop(person, name);
      await deleteBot(person, name);
      await page.getByText(words.of('bots:empty'), { exact: true }).waitFor();
    }

    // What was bought belongs to the wallet, whatever became of the bot.
    await person.goTo('wallets');
    await button('wallets:history_of', { name: 'purse solana' }).click();
    await heading(words.of('wallets:history_title', { name: 'purse solana' })).waitFor();
    await page.getByText(words.of('wallets:type.swap'), { exact: true }).first().waitFor();
    expect(person.complaints).toEqual([]);
  },
);
