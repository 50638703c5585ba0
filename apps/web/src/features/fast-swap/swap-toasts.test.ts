import { notifications, notificationsStore } from '@mantine/notifications';
import { createInstance } from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import en from '../../locales/en/fastswap.json';
import tr from '../../locales/tr/fastswap.json';
import type { BatchState, SwapRun } from './swap-run.ts';
import { tellOfBatch, tellOfRun } from './swap-toasts.ts';

const i18n = createInstance();
await i18n.init({
  resources: { en: { fastswap: en }, tr: { fastswap: tr } },
  interpolation: { escapeValue: false },
});
const t = { en: i18n.getFixedT('en', 'fastswap'), tr: i18n.getFixedT('tr', 'fastswap') };

beforeEach(() => notifications.clean());

const told = () =>
  notificationsStore.getState().notifications.map(({ title, autoClose }) => [title, autoClose]);

/** A batch of which so many wallets traded and so many did not. */
function ended(traded: number, failed: number): BatchState {
  const result = {
    id: 'swap',
    isFinal: true,
    signatures: Array.from({ length: traded }, (_, index) => `signature ${index}`),
    failed: Array.from({ length: failed }, (_, index) => ({ walletId: `wallet ${index}`, error: 'no' })),
    legs: [],
  };
  return { wallets: [], status: 'done', result, error: undefined };
}

const refused: BatchState = {
  wallets: [{ id: 'wallet', name: 'Wallet' }],
  status: 'failed',
  result: null,
  error: ApiError.of('TRADING_HALTED', 409),
};

const runOf = (batch: BatchState): SwapRun => ({
  chain: 'bsc',
  network: 'sandbox',
  mode: 'buy',
  tokenSymbol: 'sCAKE',
  isRunning: false,
  batches: [batch],
});

test.each([
  [ended(3, 0), 'BSC Fast swap completed successfully: 3 transactions'],
  [ended(2, 1), 'Completed with mixed results: 2 successful, 1 failed'],
  [ended(0, 2), 'No transactions were completed successfully'],
  [refused, 'BSC Fast swap failed: Trading is halted. Release the halt switch to trade.'],
])('a BSC swap is told of in the words of the specification, for four seconds', (batch, sentence) => {
  tellOfRun(t.en, 'en', runOf(batch));
  expect(told()).toEqual([[sentence, 4000]]);
});

test('a Solana batch that is refused is told of by its number, one that failed in part by how many', () => {
  tellOfBatch(t.tr, 'tr', refused, 2, 3);
  expect(told()).toEqual([
    ['Batch 2/3: Hata - İşlemler durduruldu. İşlem yapmak için durdurma anahtarını kapatın.', 4000],
  ]);
  notifications.clean();
  tellOfBatch(t.en, 'en', ended(1, 2), 1, 1);
  tellOfBatch(t.en, 'en', ended(3, 0), 1, 1);
  expect(told()).toEqual([['2 wallets failed', 4000]]);
});
