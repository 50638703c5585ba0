import {
  errorMessage,
  isErrorCode,
  type ErrorCode,
  type ErrorContext,
  type Language,
} from '@kervan/contract';

/** What can go wrong before an answer of the server is there. */
const CLIENT_ERRORS = {
  NETWORK: { en: 'The server cannot be reached.', tr: 'Sunucuya ulaşılamıyor.' },
  TIMEOUT: { en: 'The server did not answer in time.', tr: 'Sunucu zamanında yanıt vermedi.' },
  ANSWER_INVALID: {
    en: 'The server’s answer could not be read.',
    tr: 'Sunucunun yanıtı okunamadı.',
  },
} as const satisfies Record<string, Record<Language, string>>;
export type ClientErrorCode = keyof typeof CLIENT_ERRORS;

interface ErrorFields {
  /** HTTP status; 0 when there was no answer. */
  status: number;
  code: string;
  message: string;
  context?: ErrorContext;
  /** Finds the request in the server's log; null when it never got there. */
  requestId?: string | null;
}

/** A call that was refused, failed or never answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly context: ErrorContext;
  readonly requestId: string | null;

  constructor(
    { status, code, message, context = {}, requestId = null }: ErrorFields,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.context = context;
    this.requestId = requestId;
  }

  static ofClient(code: ClientErrorCode, options?: ErrorOptions): ApiError {
    return new ApiError({ status: 0, code, message: CLIENT_ERRORS[code].en }, options);
  }

  static of(code: ErrorCode, status: number): ApiError {
    return new ApiError({ status, code, message: errorMessage(code) });
  }
}

export function isApiError(error: unknown, code?: ErrorCode | ClientErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The sentence for a person, from the code; the server's own words for a code this build does not know. */
export function errorText(error: unknown, language: Language): string {
  if (!(error instanceof ApiError)) return errorMessage('INTERNAL', {}, language);
  if (Object.hasOwn(CLIENT_ERRORS, error.code)) return CLIENT_ERRORS[error.code as ClientErrorCode][language]; // hasOwn says so
  return codeText(error.code, error.context, language) ?? error.message;
}

/** The sentence of an error code alone, as a schema's issue carries it; undefined for any other text. */
export function codeText(code: string, context: ErrorContext, language: Language): string | undefined {
  if (!isErrorCode(code)) return undefined;
  // The server names a rule of its own in `issue`, which has a sentence too.
  const { issue } = context;
  if (code === 'VALIDATION_FAILED' && typeof issue === 'string' && isErrorCode(issue)) {
    return errorMessage(issue, context, language);
  }
  return errorMessage(code, context, language);
}
