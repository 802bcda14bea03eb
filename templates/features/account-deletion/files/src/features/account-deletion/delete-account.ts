import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import { endSessionsOfUser } from '../../session/end-session.js';

/**
 * Deletes a user with everything that belongs to them, in one transaction: each table of a feature
 * refers to `users` with `on delete cascade`. Whoever registers the address again inherits nothing.
 * Throws INVALID_TOKEN if a parallel request was first.
 */
export async function deleteAccount(
  services: Services,
  request: RequestFacts,
  userId: string,
): Promise<void> {
  await inTransaction(services, async (inside) => {
    await endSessionsOfUser(inside, request, userId, 'account-deleted');
    if (!(await inside.users.delete(userId))) throw refuse('INVALID_TOKEN');
    const { correlationId } = request;
    inside.events.publish('identity.user.deleted', { source: 'self' }, { userId, correlationId });
  });
}
