import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import en from '../../locales/en/console.json';
import tr from '../../locales/tr/console.json';
import { toLine } from './log-line.ts';
import { logText } from './log-text.ts';

const i18n = createInstance();
void i18n.init({
  lng: 'tr',
  resources: { tr: { console: tr }, en: { console: en } },
  interpolation: { escapeValue: false },
  initAsync: false,
});

function words(
  data: Record<string, unknown>,
  language: 'tr' | 'en',
  message = 'in the server’s words',
): string {
  const entry = {
    id: '1',
    bot_id: '',
    created_at: '2026-01-01T00:00:00.000Z',
    level: 'info',
    message,
    data: JSON.stringify(data),
  } as const;
  return logText(toLine(entry), i18n.getFixedT(language, 'console'), language);
}

const bought = {
  code: 'TRADE_SUCCESS',
  action: 'buy',
  amountSol: '0.015000000000000000',
  amountTokens: '1234.5678901234',
  nativeSymbol: 'BNB',
  tokenSymbol: 'CAKE',
};

describe('what a log line says', () => {
  test('is in the reader’s language, its amounts cut to six digits', () => {
    expect(words(bought, 'en')).toBe('Bought 1,234.56789 CAKE for 0.015 BNB.');
    expect(words(bought, 'tr')).toBe('0,015 BNB karşılığında 1.234,56789 CAKE alındı.');
    expect(words({ code: 'BOT_STARTED', intervalSec: 5.022 }, 'en')).toBe('Bot started. First run in 5 s.');
    const planned = { code: 'RUN_PLANNED', run: 3, action: 'sell', amount: '250', symbol: 'BONK' };
    expect(words(planned, 'tr')).toBe('3. çalışma: 250 BONK satılıyor.');
  });

  test('gives the reason of a failure from its code and figures', () => {
    const short = { reason: 'BALANCE_INSUFFICIENT', available: '0.1', needed: '0.2', symbol: 'SOL' };
    expect(words({ ...short, code: 'COULD_NOT_TRADE' }, 'tr')).toBe(
      'İşlem yapılamadı: Cüzdanda 0.1 SOL var; işlem için 0.2 SOL gerekiyor.',
    );
    expect(words({ code: 'TRADE_FAILED', reason: 'SLIPPAGE_EXCEEDED' }, 'en')).toBe(
      'Trade failed: The price moved by more than the slippage allows.',
    );
  });

  test('names the settings that an edit changed, each once', () => {
    const edited = { code: 'BOT_EDITED', fields: 'name,token_address,token_symbol,token_decimals' };
    expect(words(edited, 'en')).toBe('Bot settings changed: name, token.');
  });

  test('is the server’s own text for a code or a reason that this build does not know', () => {
    expect(words({ code: 'FROM_THE_FUTURE' }, 'tr')).toBe('in the server’s words');
    expect(words({ code: 'TRADE_FAILED', reason: 'FROM_THE_FUTURE' }, 'tr')).toBe('in the server’s words');
    expect(words({}, 'tr')).toBe('in the server’s words');
  });
});
