import type { Inspector } from './inspect.ts';
import { escape, failing } from './looks.ts';
import type { Person } from './person.ts';
import { decimal } from './steps.ts';
import { fillVolumeForm, goToVolume, pressAndConfirm, volumeForm } from './volume-steps.ts';

/** The form of both chains: filled, wrong, and refused by the server. */
export async function lookAtVolume(person: Person, { look }: Inspector, master: string): Promise<void> {
  const { words, button, dialog, field, page } = person;
  for (const chain of ['solana', 'bsc'] as const) {
    await goToVolume(person, chain);
    const form = volumeForm(person);
    await form
      .getByRole('option', { name: words.like('volume:choose_wallet') })
      .waitFor({ state: 'attached' });
    const options = await field('volume:master', form).getByRole('option').allInnerTexts();
    const label = options.find((text) => text.startsWith(`${master} (`)) ?? '';
    await field('volume:master', form).selectOption({ label });
    await fillVolumeForm(person, chain);
    await look(`volume-form-${chain}`);
    await field('volume:wallet_count', form).fill('1');
    await field('volume:max_amount', form).fill(decimal(person, '10.5'));
    await button('volume:start', {}, form).click();
    await form.getByRole('alert').getByRole('listitem').first().waitFor();
    await look(`volume-invalid-${chain}`);
    await field('volume:wallet_count', form).fill('4');
    await field('volume:max_amount', form).fill('1');
    await button('volume:start', {}, form).click();
    await dialog(words.of('volume:start_title')).waitFor();
    await look(`volume-question-${chain}`);
    await escape(person);
    await failing(person, `${chain === 'bsc' ? '/bsc' : ''}/volume-maker/start`, async () => {
      await pressAndConfirm(person, 'volume:start');
      await page.getByText(words.of(`volume:failed.start.${chain}`), { exact: true }).waitFor();
      await look(`volume-failed-${chain}`);
    });
    if (chain === 'bsc') {
      await form.getByText(words.of('volume:funding_key'), { exact: true }).click();
      await field('volume:master_key', form).fill('0x12');
      await look('volume-key');
    }
  }
}

/** Trades of bots in the history, one of them in full, and none for a filter. */
export async function lookAtHistory(person: Person, { look }: Inspector): Promise<void> {
  const { words, dialog, field, page } = person;
  await person.goTo('vmhistory');
  await field('history:filter.source').selectOption('bot');
  const details = page.getByRole('button', { name: words.like('history:details_of') });
  await details.first().waitFor();
  await look('history');
  await details.first().click();
  const modal = dialog(words.of('history:detail_title'));
  await modal.getByText(words.of('history:attempts'), { exact: true }).waitFor();
  await look('history-trade');
  await escape(person);
  await field('history:filter.status').selectOption('failed');
  await page.getByText(words.of('history:empty'), { exact: true }).waitFor();
  await look('history-empty');
}
