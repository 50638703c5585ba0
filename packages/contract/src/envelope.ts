import { z } from 'zod';

export const paginationSchema = z.strictObject({
  total: z.number().int().min(0),
  page: z.number().int().min(1),
  limit: z.number().int().min(1),
});
export type Pagination = z.infer<typeof paginationSchema>;

export const metaSchema = z.strictObject({ pagination: paginationSchema.optional() });
export type Meta = z.infer<typeof metaSchema>;

/** What fills the sentence of an error code, in any language. */
export const errorContextSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

export const errorBodySchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  context: errorContextSchema,
  requestId: z.string(),
});

/** What every successful answer looks like (spec §3). */
export const successSchema = <T extends z.ZodType>(data: T) =>
  z.strictObject({ success: z.literal(true), data, error: z.null(), meta: metaSchema });

/** What every refused or failed answer looks like. */
export const failureSchema = z.strictObject({
  success: z.literal(false),
  data: z.null(),
  error: errorBodySchema,
  meta: metaSchema,
});
export type Failure = z.infer<typeof failureSchema>;
