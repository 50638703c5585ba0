import type { Language } from '@kervan/contract';
import type { TFunction } from 'i18next';
import { errorText } from '../../lib/api-error.ts';
import { notify, TOAST_MS, type ToastKind } from '../../lib/notify.ts';
import { countsOf, countsOfBatch } from './run-counts.ts';
import type { BatchState, SwapRun } from './swap-run.ts';

type Translate = TFunction<'fastswap'>;

/** Spec §8, Solana: each batch that went wrong as a whole, and each that did in part, is told of as it ends. */
export function tellOfBatch(
  t: Translate,
  language: Language,
  batch: BatchState,
  number: number,
  of: number,
): void {
  const { failed, traded } = countsOfBatch(batch);
  if (batch.status === 'failed')
    say('error', t('toast.batch_failed', { number, of, message: errorText(batch.error, language) }));
  else if (failed > 0) say(traded > 0 ? 'warning' : 'error', t('toast.some_failed', { count: failed }));
}

/** Spec §8: how the whole swap ended. */
export function tellOfRun(t: Translate, language: Language, run: SwapRun): void {
  const { traded, failed } = countsOf(run);
  if (run.chain === 'solana') {
    if (failed === 0) say('success', t('toast.solana_success', { count: traded }));
    return;
  }
  const refused = run.batches.find(({ status, result }) => status === 'failed' && result === null);
  if (refused) say('error', t('toast.bsc_failed', { message: errorText(refused.error, language) }));
  else if (traded === 0) say('error', t('toast.bsc_none'));
  else if (failed > 0) say('warning', t('toast.bsc_mixed', { traded, failed }));
  else say('success', t('toast.bsc_success', { count: traded }));
}

function say(kind: ToastKind, title: string): void {
  notify({ kind, title, ms: TOAST_MS.fastSwap });
}
