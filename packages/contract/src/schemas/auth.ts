import { z } from 'zod';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, USERNAME_MAX_LENGTH } from '../constants.ts';
import { isStorableText } from '../primitives.ts';

export const credentialsSchema = z.strictObject({
  username: z
    .string({ error: 'USERNAME_REQUIRED' })
    .trim()
    .min(1, 'USERNAME_REQUIRED')
    .max(USERNAME_MAX_LENGTH)
    .refine(isStorableText, 'TEXT_INVALID'),
  password: z
    .string({ error: 'PASSWORD_TOO_SHORT' })
    .min(PASSWORD_MIN_LENGTH, 'PASSWORD_TOO_SHORT')
    .max(PASSWORD_MAX_LENGTH),
});

export const userSchema = z.strictObject({ id: z.uuid(), username: z.string() });
export type User = z.infer<typeof userSchema>;

export const sessionSchema = z.strictObject({ access_token: z.string(), user: userSchema });
export type Session = z.infer<typeof sessionSchema>;
