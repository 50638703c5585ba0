/**
 * What can be wrong with a field: the `issue` of VALIDATION_FAILED. Kinds are stable like error codes; `{name}` in a
 * phrase is filled from the error's context.
 */
export const ISSUES = {
  required: { en: 'it is required', tr: 'gerekli' },
  unknown_field: { en: 'there is no such field', tr: 'böyle bir alan yok' },
  not_text: { en: 'it must be text', tr: 'metin olmalı' },
  not_number: { en: 'it must be a number', tr: 'sayı olmalı' },
  not_whole: { en: 'it must be a whole number', tr: 'tam sayı olmalı' },
  not_boolean: { en: 'it must be true or false', tr: 'true ya da false olmalı' },
  not_list: { en: 'it must be a list', tr: 'liste olmalı' },
  not_object: { en: 'it must be an object', tr: 'nesne olmalı' },
  not_option: { en: 'it must be one of {options}', tr: 'şunlardan biri olmalı: {options}' },
  too_small: { en: 'it must be at least {limit}', tr: 'en az {limit} olmalı' },
  not_above: { en: 'it must be greater than {limit}', tr: '{limit} değerinden büyük olmalı' },
  too_large: { en: 'it must be at most {limit}', tr: 'en çok {limit} olmalı' },
  not_below: { en: 'it must be less than {limit}', tr: '{limit} değerinden küçük olmalı' },
  too_short: { en: 'it must have at least {limit} characters', tr: 'en az {limit} karakter olmalı' },
  too_long: { en: 'it must have at most {limit} characters', tr: 'en çok {limit} karakter olmalı' },
  too_few: { en: 'it must have at least {limit} entries', tr: 'en az {limit} öğe içermeli' },
  too_many: { en: 'it must have at most {limit} entries', tr: 'en çok {limit} öğe içermeli' },
  wrong_form: { en: 'it does not have the right form', tr: 'biçimi doğru değil' },
  not_valid: { en: 'the value cannot be used', tr: 'değer kullanılamaz' },
} as const satisfies Record<string, { en: string; tr: string }>;

export type IssueKind = keyof typeof ISSUES;

export function isIssueKind(text: string): text is IssueKind {
  return Object.hasOwn(ISSUES, text);
}
