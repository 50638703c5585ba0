import { API_BASE, FAST_SWAP_WALLETS_MAX, type Chain } from '@kervan/contract';
import { apiOf } from './api-of.ts';
import type { Inspector } from './inspect.ts';
import { escape, failing } from './looks.ts';
import type { Person } from './person.ts';
import type { Product } from './product.ts';
import { confirmation, ended, fillIn, makeWallets, openFastSwap, results } from './swap-steps.ts';

/** Both fast swaps in each of their states, of an account that is new. */
export async function lookAtFastSwaps(
  product: Product,
  person: Person,
  { look }: Pick<Inspector, 'look'>,
): Promise<void> {
  const { words, button, dialog, field, page } = person;
  const api = await apiOf(product, person);
  const counts: Record<Chain, number> = { solana: 6, bsc: 3 };
  for (const chain of ['solana', 'bsc'] as const) {
    const count = counts[chain];
    await makeWallets(api, chain, count, '1');
    await openFastSwap(person, chain);
    await look(`fast-swap-${chain}`);
    await fillIn(person, chain, 'buy', count);
    await page.getByLabel(words.of(`fastswap:slippage.${chain}`), { exact: true }).fill('x');
    await button('fastswap:review').click();
    await page.getByRole('form').getByRole('alert').waitFor();
    await look(`fast-swap-invalid-${chain}`);
    await page.getByLabel(words.of(`fastswap:slippage.${chain}`), { exact: true }).fill('');
    await button('fastswap:review').click();
    await confirmation(person, 'buy', count).waitFor();
    await look(`fast-swap-review-${chain}`);
    await confirmation(person, 'buy', count).click();
    await results(person).waitFor();
    await ended(person, { traded: count, failed: 0 });
    await look(`fast-swap-results-${chain}`);
  }

  await page.getByText(words.of('fastswap:tier.custom'), { exact: true }).click();
  await page.getByText(words.of('fastswap:pasted'), { exact: true }).click();
  await field('fastswap:keys').fill('no key');
  await button('fastswap:review').click();
  await page.getByRole('form').getByRole('alert').waitFor();
  await look('fast-swap-keys-invalid');
  await field('fastswap:keys').fill(`${'1'.repeat(64)}\nno key`);
  await button('fastswap:review').click();
  await dialog(words.of('fastswap:review_title')).getByRole('listitem').waitFor();
  await look('fast-swap-review-without-coins');
  await button('common:action.cancel').click();

  // The server refuses one of the batches as a whole.
  await openFastSwap(person, 'solana');
  await fillIn(person, 'solana', 'buy', counts.solana);
  await failing(person, '/fast-swap/preview', async () => {
    await button('fastswap:review').click();
    await dialog(words.of('fastswap:review_title')).getByRole('alert').waitFor();
    await look('fast-swap-review-failed');
    await escape(person);
  });
  await button('fastswap:review').click();
  const error = { code: 'TRADING_HALTED', message: 'halted', context: {}, requestId: 'of-this-test' };
  const refusal = { status: 409, json: { success: false, data: null, error, meta: {} } };
  await page.route(`**${API_BASE}/fast-swap`, (route) => route.fulfill(refusal), { times: 1 });
  await confirmation(person, 'buy', counts.solana).click();
  await ended(person, { traded: counts.solana - FAST_SWAP_WALLETS_MAX, failed: FAST_SWAP_WALLETS_MAX });
  await look('fast-swap-failed');
}
