import type { Inspector } from './inspect.ts';
import { escape, failing } from './looks.ts';
import type { Person } from './person.ts';

/** The logs with their filters, without rows, and with an export that fails. */
export async function lookAtLogs(person: Person, { look }: Inspector): Promise<void> {
  const { words, button, field, page } = person;
  const exportAll = page.getByRole('menuitem', { name: words.of('enterprise:export_all'), exact: true });
  await person.goTo('enterprise');
  await button('enterprise:filter_button').click();
  await page.getByRole('table').locator('time').first().waitFor();
  await look('enterprise');
  await button('enterprise:export').click();
  await exportAll.waitFor();
  await look('enterprise-export');
  await failing(person, '/enterprise/logs.csv**', async () => {
    await exportAll.click();
    await page.getByRole('alert').getByText(words.like('enterprise:export_failed')).waitFor();
    await look('enterprise-export-failed');
  });
  await field('enterprise:filter.minUsd').fill('x');
  await field('enterprise:filter.maxUsd').fill('0');
  await page.getByText(words.of('enterprise:bound_invalid')).waitFor();
  await page.getByText(words.of('enterprise:empty'), { exact: true }).waitFor();
  await look('enterprise-empty');
}

/** What a bot has traded, beside its prices. */
export async function lookAtBotTrades(person: Person, { look }: Inspector, name: string): Promise<void> {
  const { words, button, card, page } = person;
  await person.goToBots('solana');
  await button('bots:card.history', {}, card(name)).click();
  await page
    .getByRole('button', { name: words.like('history:details_of') })
    .first()
    .waitFor();
  // Trades of one second are one point, which is none to draw.
  await page
    .locator('canvas')
    .first()
    .or(page.getByText(words.of('history:chart_empty')))
    .waitFor();
  await look('bot-trades');
}

/** A token that warns of itself. */
export async function lookAtTokenWarning(person: Person, { look }: Inspector): Promise<void> {
  const { words, button, dialog } = person;
  await person.goToBots('bsc');
  await button('bots:create').click();
  const form = dialog(words.of('bots:create_title'));
  await form.getByRole('button', { name: 'sTAX', exact: true }).click();
  await form.getByRole('alert').getByRole('listitem').first().waitFor();
  await look('token-warning');
  await escape(person);
}

/** Settings that could not be saved, and the question before all sign-ins end. */
export async function lookAtSettings(person: Person, { look }: Inspector): Promise<void> {
  const { words, button, dialog, field, page } = person;
  await person.goTo('settings');
  await field('settings:chain_id').selectOption('testnet');
  await field('settings:rpc_url').fill('http://127.0.0.1:1');
  await field('settings:rpc_url').press('Enter');
  await page.getByRole('form', { name: 'BSC', exact: true }).getByRole('alert').waitFor();
  const limits = page.getByRole('form', { name: `${words.of('settings:limits')} Solana`, exact: true });
  await field('settings:maxNativePerTrade', limits).fill('-1');
  await button('settings:save.idle', {}, limits).click();
  await limits.getByText(words.of('settings:limit_invalid')).waitFor();
  await look('settings-refused');
  await button('settings:everywhere').click();
  await dialog(words.of('settings:everywhere_title')).waitFor();
  await look('settings-everywhere');
  await escape(person);
}
