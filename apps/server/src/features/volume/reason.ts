import {
  errorMessage,
  isErrorCode,
  type ErrorCode,
  type ErrorContext,
  type Language,
  type Reason,
} from '@kervan/contract';
import type { TradeRow } from '@kervan/database';

/** Why a session or a wallet is as it is, in the form that columns hold. */
export interface StoredReason {
  readonly code: ErrorCode;
  readonly context: ErrorContext;
}

/**
 * What passes by itself and is nobody's fault: the session waits, says so, and tries again. A trade that ended by it
 * was not tried at all.
 */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TRADING_HALTED',
  'NETWORK_UNREACHABLE',
  'NETWORK_MISMATCH',
  'NETWORK_UNAVAILABLE',
  'VOLUME_LIVE_NETWORK',
  'VAULT_LOCKED',
  'TRANSACTION_EXPIRED',
]);

export function isPassing({ code }: StoredReason): boolean {
  return PASSING.has(code);
}

/** Why a trade did not succeed. */
export function reasonOf({ error_code: code, error_context: context }: TradeRow): StoredReason {
  return { code: code !== null && isErrorCode(code) ? code : 'INTERNAL', context: context ?? {} };
}

/** A reason that ends in another one: its sentence has `{reason}`, which is filled when it is read, in any language. */
export function because(code: ErrorCode, cause: StoredReason, context: ErrorContext = {}): StoredReason {
  return { code, context: { ...cause.context, ...context, cause: cause.code } };
}

/** As the API shows it. */
export function toReason(
  code: string | null,
  context: ErrorContext | null,
  language: Language,
): Reason | null {
  if (code === null) return null;
  if (!isErrorCode(code)) return { code, message: code };
  const cause = String(context?.['cause'] ?? '');
  const reason = isErrorCode(cause) ? errorMessage(cause, context ?? {}, language) : '—';
  return { code, message: errorMessage(code, { reason, ...context }, language) };
}
