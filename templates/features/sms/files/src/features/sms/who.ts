import { z } from 'zod';
import type { Services } from '../../services.js';
import { knownEmail } from '../../users/email.js';
import type { User } from '../../users/user.js';

/** Whom a request names: by address, or by id, which counts if both are there. */
export interface Who {
  email?: string | undefined;
  userId?: string | undefined;
}

/** The fields of a body that names somebody. Check `isNamed` as well. */
export const whoFields = {
  email: knownEmail.optional(),
  userId: z.string().min(1).max(128).optional(),
};

/** True if there is one of the fields. */
export function isNamed({ email, userId }: Who): boolean {
  return email !== undefined || userId !== undefined;
}

/** The problem of a body that names nobody. */
export const unnamed = { path: ['email'], message: 'An email or a userId is needed.' };

/** The key under which requests for somebody are counted, whether or not there is such an account. */
export function keyOfNamed({ email, userId }: Who): string {
  return `asked:${userId ?? email}`;
}

/** The account, if there is one. */
export async function findNamed(
  { users }: Services,
  { email, userId }: Who,
): Promise<User | undefined> {
  if (userId === undefined) return users.findByEmail(email ?? '');
  // Not every database looks for an id that is none.
  return z.uuid().safeParse(userId).success ? users.findById(userId) : undefined;
}
