import type { z } from 'zod';
import { refuse } from '../http/errors.js';
import { inTransaction, type Services } from '../services.js';
import { applyProfileChange, type ProfileChange } from './profile.js';

/**
 * Changes the fields of a profile and leaves all else of the metadata as it is by then: what an
 * administrator takes away meanwhile must not come back. Throws INVALID_TOKEN if the user is gone.
 */
export async function changeProfile(
  services: Services,
  userId: string,
  change: z.infer<typeof ProfileChange>,
): Promise<void> {
  await inTransaction(services, async ({ users }) => {
    const user = await users.lock(userId);
    if (!user) throw refuse('INVALID_TOKEN');
    await users.updateMetadata(userId, applyProfileChange(user.metadata, change));
  });
}
