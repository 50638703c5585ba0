import type { FastifySchemaCompiler } from 'fastify';
import { isErrorCode, KervanError, type ErrorContext, type IssueKind } from '@kervan/contract';
import type { z } from 'zod';

/** Validates the parts of a request with the contract's own schemas, and turns what they say into the envelope's codes. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (value: unknown) => {
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data };
    return { error: validationError(result.error, httpPart ?? 'body', value) };
  };
};

/** No field of ours has a longer name: what does is a value in the wrong place, perhaps a key, and is not repeated. */
const FIELD_NAME_MAX = 40;

/**
 * The first thing that is wrong. A schema whose message is an error code gets that code, so that the spec's
 * sentences appear as they stand there. Never quotes the value: it may be a key.
 */
export function validationError(error: z.ZodError, part: string, value: unknown): KervanError {
  const [issue] = error.issues;
  if (issue === undefined) return new KervanError('REQUEST_INVALID');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '');
  const isNameable = path.length > 0 && path.every((name) => name.length <= FIELD_NAME_MAX);
  const field = isNameable ? path.join('.') : part;
  if (isErrorCode(issue.message)) return new KervanError(issue.message, { field });
  return new KervanError('VALIDATION_FAILED', { field, ...describe(issue, value) });
}

type Described = ErrorContext & { issue: IssueKind };

const WRONG_TYPES: Readonly<Record<string, IssueKind>> = {
  string: 'not_text',
  number: 'not_number',
  int: 'not_whole',
  boolean: 'not_boolean',
  array: 'not_list',
  object: 'not_object',
  record: 'not_object',
};

function describe(issue: z.core.$ZodIssue, value: unknown): Described {
  switch (issue.code) {
    case 'invalid_type':
      if (valueAt(value, issue.path) === undefined) return { issue: 'required' };
      return { issue: WRONG_TYPES[issue.expected] ?? 'not_valid' };
    case 'unrecognized_keys':
      return { issue: 'unknown_field' };
    case 'invalid_value':
      return { issue: 'not_option', options: issue.values.map(String).join(', ') };
    case 'too_small':
      return { issue: underLimit(issue), limit: Number(issue.minimum) };
    case 'too_big':
      return { issue: overLimit(issue), limit: Number(issue.maximum) };
    case 'invalid_format':
      return { issue: 'wrong_form' };
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return { issue: 'not_valid' };
  }
}

function underLimit({ origin, inclusive }: z.core.$ZodIssueTooSmall): IssueKind {
  if (origin === 'string') return 'too_short';
  if (origin === 'array') return 'too_few';
  return inclusive === false ? 'not_above' : 'too_small';
}

function overLimit({ origin, inclusive }: z.core.$ZodIssueTooBig): IssueKind {
  if (origin === 'string') return 'too_long';
  if (origin === 'array') return 'too_many';
  return inclusive === false ? 'not_below' : 'too_large';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (found: unknown, key) =>
      typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined,
    value,
  );
}
