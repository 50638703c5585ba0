import { z } from 'zod';
import { idSchema, timestampSchema } from '../primitives.ts';

/** A sign-in that still holds. */
export const sessionInfoSchema = z.strictObject({
  id: idSchema,
  created_at: timestampSchema,
  /** When it was last given a new access token. */
  last_used_at: timestampSchema,
  expires_at: timestampSchema,
  /** What the browser called itself. */
  user_agent: z.string().nullable(),
  /** Whether it is the one that asks. */
  is_current: z.boolean(),
});
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

export const sessionsEndedSchema = z.strictObject({ ended: z.number().int() });
