import { hash, verify } from '@node-rs/argon2';
import { createSemaphore } from '../../lib/semaphore.ts';

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing is meant to be slow: more at a time would only take the machine from the trades.
const hashing = createSemaphore(2);

/** Hash of a password that nobody has: compared with when there is no such user, so that both take the same time. */
const nobody = hash(crypto.randomUUID(), COST);

export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(password, COST));
}

/** Whether the password is the stored one; always no, in the same time, when nothing is stored. */
export async function isPasswordRight(stored: string | undefined, password: string): Promise<boolean> {
  const reference = stored ?? (await nobody);
  const isRight = await hashing(() => verify(reference, password));
  return isRight && stored !== undefined;
}
