import { errorMessage, type KervanError } from '@kervan/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { validationError } from './validation.ts';

const schema = z.strictObject({
  name: z.string().min(2).max(4).optional(),
  size: z.number().int().min(1).lt(9).optional(),
  price: z.number().gt(0).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  on: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  inner: z.strictObject({ id: z.uuid() }).optional(),
  page: z.coerce.number().optional(),
});

function errorOf(value: unknown): KervanError {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error('the value is fine');
  return validationError(error, 'body', value);
}

test.each([
  [undefined, { field: 'body', issue: 'required' }],
  [[], { field: 'body', issue: 'not_object' }],
  [{ name: 1 }, { field: 'name', issue: 'not_text' }],
  [{ name: 'x' }, { field: 'name', issue: 'too_short', limit: 2 }],
  [{ name: 'xxxxx' }, { field: 'name', issue: 'too_long', limit: 4 }],
  [{ size: '1' }, { field: 'size', issue: 'not_number' }],
  [{ size: 1.5 }, { field: 'size', issue: 'not_whole' }],
  [{ size: 0 }, { field: 'size', issue: 'too_small', limit: 1 }],
  [{ size: 9 }, { field: 'size', issue: 'not_below', limit: 9 }],
  [{ price: 0 }, { field: 'price', issue: 'not_above', limit: 0 }],
  [{ side: 'hold' }, { field: 'side', issue: 'not_option', options: 'buy, sell' }],
  [{ on: 'yes' }, { field: 'on', issue: 'not_boolean' }],
  [{ list: 'x' }, { field: 'list', issue: 'not_list' }],
  [{ list: [] }, { field: 'list', issue: 'too_few', limit: 1 }],
  [{ list: ['a', 'b', 'c'] }, { field: 'list', issue: 'too_many', limit: 2 }],
  [{ inner: {} }, { field: 'inner.id', issue: 'required' }],
  [{ inner: { id: 'x' } }, { field: 'inner.id', issue: 'wrong_form' }],
  [{ inner: { id: 'x'.repeat(36), more: 1 } }, { field: 'inner.id', issue: 'wrong_form' }],
  [{ page: 'x' }, { field: 'page', issue: 'not_number' }],
  [{ more: 1 }, { field: 'more', issue: 'unknown_field' }],
])('%j: %j', (value, context) => {
  const error = errorOf(value);
  expect(error.context).toEqual(context);
  // Everything that is wrong can be said in both languages.
  for (const language of ['en', 'tr'] as const) {
    expect(errorMessage(error.code, error.context, language)).not.toMatch(/—|_|undefined/);
  }
});

test('the message is Turkish to the last word', () => {
  expect(errorMessage('VALIDATION_FAILED', errorOf({ name: 'x' }).context, 'tr')).toBe(
    'name alanı geçersiz: en az 2 karakter olmalı',
  );
});

test('a key pasted as a field’s name is not repeated', () => {
  const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
  expect(errorOf({ [key]: 1 }).context).toEqual({ field: 'body', issue: 'unknown_field' });
});
