import type { Language, ServerEvent } from '@kervan/contract';
import { codeText } from './api-error.ts';

/** Why an ended trade failed, in the reader's language; the server's own words for a code this page does not know. */
export function tradeFailure(
  {
    error,
    errorCode,
    errorContext,
  }: Pick<ServerEvent<'trade:executed'>, 'error' | 'errorCode' | 'errorContext'>,
  language: Language,
): string | undefined {
  const known = errorCode === null ? undefined : codeText(errorCode, errorContext ?? {}, language);
  return known ?? error ?? undefined;
}
