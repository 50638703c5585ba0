import { z } from 'zod';

export const healthPartSchema = z.strictObject({
  name: z.string(),
  ok: z.boolean(),
  /** What is wrong, in words, when it is not ok. */
  problem: z.string().nullable(),
});

export const healthSchema = z.strictObject({
  status: z.enum(['ok', 'degraded', 'down']),
  version: z.string(),
  uptimeSec: z.number().int(),
  halted: z.boolean(),
  parts: z.array(healthPartSchema),
});
export type Health = z.infer<typeof healthSchema>;
