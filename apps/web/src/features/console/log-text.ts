import type { TFunction } from 'i18next';
import type { Language } from '@kervan/contract';
import { codeText } from '../../lib/api-error.ts';
import { formatAmount, formatCount } from '../../lib/format.ts';
import { decimalFigure, type LogLine } from './log-line.ts';

type Words = TFunction<'console'>;

const DIGITS = 6;

/** What a line says, in the reader's language; the server's own words for an event that this build does not know. */
export function logText(line: LogLine, t: Words, language: Language): string {
  const count = (name: string): string => {
    const value = line.figures[name];
    return typeof value === 'number' ? formatCount(Math.round(value), language) : '—';
  };
  const amount = (name: string): string =>
    formatAmount(decimalFigure(line, name), { digits: DIGITS, isTrimmed: true }, language);
  const text = (name: string): string => {
    const value = line.figures[name];
    return typeof value === 'string' ? value : '';
  };
  const isBuy = line.figures['action'] === 'buy';
  const reason = codeText(text('reason'), line.figures, language);

  switch (line.code) {
    case 'BOT_STARTED':
      return t('log.started', { seconds: count('intervalSec') });
    case 'BOT_STOPPED':
      return t('log.stopped');
    case 'BOT_STOPPED_AFTER_FAILURES':
      return t('log.stopped_after_failures', { failures: count('failures') });
    case 'BOT_EDITED':
      return t('log.edited', { fields: fieldNames(text('fields'), t) });
    case 'RUN_PLANNED':
      return t(isBuy ? 'log.run_buy' : 'log.run_sell', {
        run: count('run'),
        amount: amount('amount'),
        symbol: text('symbol'),
      });
    case 'TRADE_NOW':
      return t(isBuy ? 'log.now_buy' : 'log.now_sell', { amount: amount('amount'), symbol: text('symbol') });
    case 'TRADE_SUCCESS':
      return t(isBuy ? 'log.bought' : 'log.sold', {
        tokens: amount('amountTokens'),
        symbol: text('tokenSymbol') || t('tokens'),
        native: amount('amountSol'),
        nativeSymbol: text('nativeSymbol'),
      });
    case 'TRADE_FAILED':
      return reason === undefined ? line.message : t('log.failed', { reason });
    case 'COULD_NOT_TRADE':
      return reason === undefined ? line.message : t('log.could_not_trade', { reason });
    case 'START_FAILED':
      return reason === undefined ? line.message : t('log.start_failed', { reason });
    case 'STOP_FAILED':
      return reason === undefined ? line.message : t('log.stop_failed', { reason });
    case null:
    default:
      return line.message;
  }
}

const FIELDS = [
  'name',
  'wallet_id',
  'action',
  'amount_min',
  'amount_max',
  'range_time_min',
  'range_time_max',
  'slippage_bps',
  'dex_version',
  'token_address',
] as const;

/** The columns that an edit changed, as a person calls them. What belongs to the token goes with its address. */
function fieldNames(columns: string, t: Words): string {
  const names = new Set(
    columns.split(',').map((column) => {
      const field = FIELDS.find((known) => known === column);
      return t(`field.${field ?? 'token_address'}`);
    }),
  );
  return [...names].join(', ');
}
