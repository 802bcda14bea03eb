import { credentials } from '../credentials.js';
import type { RequestFacts } from '../http/request.js';
import { inTransaction, type Services } from '../services.js';
import { endSessionsOfUser } from '../session/end-session.js';
import type { User } from './user.js';

/**
 * Notes that whoever is signing in controls the account's address. If nobody had proved that before,
 * somebody else may have opened the account in wait for its owner: what they can get in with is
 * removed and their sessions end (ASVS 6.3.7, pre-hijacking). `keepsAdditional` is for a proof that
 * signs nobody in: what is asked for besides is still asked for after it.
 */
export async function proveEmail(
  services: Services,
  request: RequestFacts,
  user: User,
  { keepsAdditional = false } = {},
): Promise<void> {
  if (user.emailVerifiedAt !== null) return;
  await inTransaction(services, async (inside) => {
    if (!(await inside.users.markEmailVerified(user.id))) return;
    for (const { forget, isAdditional = false } of credentials) {
      if (!keepsAdditional || !isAdditional) await forget(inside, user.id);
    }
    await endSessionsOfUser(inside, { request }, user.id, 'email-proven');
    inside.events.publish(
      'identity.user.email.verified',
      { email: user.email },
      { userId: user.id, request },
    );
  });
}
