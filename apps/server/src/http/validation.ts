import type { FastifySchemaCompiler } from 'fastify';
import { isErrorCode, KervanError } from '@kervan/contract';
import type { z } from 'zod';

/** Validates the parts of a request with the contract's own schemas, and turns what they say into the envelope's codes. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (value: unknown) => {
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data };
    return { error: validationError(result.error, httpPart ?? 'body') };
  };
};

/**
 * The first thing that is wrong. A schema whose message is an error code gets that code, so that the spec's
 * sentences appear as they stand there. Never quotes the value: it may be a key.
 */
export function validationError(error: z.ZodError, part: string): KervanError {
  const [issue] = error.issues;
  if (issue === undefined) return new KervanError('REQUEST_INVALID');
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '');
  const field = shorten(path.join('.')) || part;
  if (isErrorCode(issue.message)) return new KervanError(issue.message, { field });
  const text = issue.code === 'unrecognized_keys' ? 'unknown field' : issue.message;
  return new KervanError('VALIDATION_FAILED', { field, issue: text });
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
