import { z } from 'zod';
import type { Language } from './errors.ts';

/**
 * What can be wrong with a token that can be traded all the same. Codes are stable like error codes; `{name}` in a
 * sentence is filled from the warning's context.
 */
export const TOKEN_WARNINGS = {
  // Solana: what the mint account says
  FREEZE_AUTHORITY: {
    en: 'Its issuer can freeze any wallet’s tokens, which then can’t be sold.',
    tr: 'Token’ı çıkaran, herhangi bir cüzdandaki token’ları dondurabilir; dondurulan satılamaz.',
  },
  FROZEN_BY_DEFAULT: {
    en: 'Bought tokens are frozen until the issuer releases them.',
    tr: 'Alınan token’lar, çıkaran serbest bırakana kadar dondurulmuş kalır.',
  },
  PERMANENT_DELEGATE: {
    en: 'Its issuer can take the tokens out of any wallet.',
    tr: 'Token’ı çıkaran, token’ları herhangi bir cüzdandan geri alabilir.',
  },
  TRANSFER_FEE: {
    en: 'It keeps {percent} % of every transfer.',
    tr: 'Her aktarımın %{percent} kadarını keser.',
  },
  TRANSFER_HOOK: {
    en: 'A program of its issuer runs in every transfer and can refuse it.',
    tr: 'Her aktarımda, token’ı çıkaranın bir programı çalışır ve aktarımı reddedebilir.',
  },
  NON_TRANSFERABLE: {
    en: 'It can’t be moved out of a wallet, so it can’t be sold.',
    tr: 'Cüzdandan çıkarılamaz, dolayısıyla satılamaz.',
  },
  PAUSABLE: {
    en: 'Its issuer can stop all transfers.',
    tr: 'Token’ı çıkaran, tüm aktarımları durdurabilir.',
  },
  // BSC: what a simulated purchase and sale show
  TRANSFER_TAX: {
    en: 'It keeps {buyPercent} % of a purchase and {sellPercent} % of a sale.',
    tr: 'Alımın %{buyPercent}, satışın %{sellPercent} kadarını keser.',
  },
  SELL_FAILS: {
    en: 'A simulated sale fails: what is bought may never be sold again.',
    tr: 'Denenen satış başarısız oluyor: alınan bir daha satılamayabilir.',
  },
  BUY_FAILS: {
    en: 'A simulated purchase fails.',
    tr: 'Denenen alım başarısız oluyor.',
  },
  // Both
  NO_MARKET: {
    en: 'No pool trades it.',
    tr: 'Hiçbir havuzda alınıp satılmıyor.',
  },
  NOT_SCREENED: {
    en: 'It could not be checked: nothing is known of its taxes and limits.',
    tr: 'Denetlenemedi: kesintileri ve kısıtlamaları bilinmiyor.',
  },
} as const satisfies Record<string, { en: string; tr: string }>;

export type TokenWarningCode = keyof typeof TOKEN_WARNINGS;

export const tokenWarningSchema = z.strictObject({
  code: z.enum(Object.keys(TOKEN_WARNINGS) as [TokenWarningCode, ...TokenWarningCode[]]), // the table is not empty
  severity: z.enum(['info', 'warning', 'danger']),
  context: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type TokenWarning = z.infer<typeof tokenWarningSchema>;

/** The sentence for a person. */
export function tokenWarningMessage(
  { code, context }: Pick<TokenWarning, 'code' | 'context'>,
  language: Language = 'en',
): string {
  return TOKEN_WARNINGS[code][language].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(context[name] ?? '—'),
  );
}
