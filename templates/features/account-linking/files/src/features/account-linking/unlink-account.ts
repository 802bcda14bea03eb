import { credentials } from '../../credentials.js';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import { ADDRESS } from './provider-account.js';

/** An id as it can be stored: databases take no NUL, and no longer text. */
const STORABLE = /^[^\0]{1,255}$/;

/**
 * Removes one of the user's links, unless it is the only way into the account.
 * Throws NOT_FOUND, absent or not theirs alike; LAST_LOGIN_METHOD.
 */
export async function unlinkAccount(
  services: Services,
  request: RequestFacts,
  userId: string,
  { provider = '', id = '' }: Record<string, string>,
): Promise<void> {
  if (!STORABLE.test(provider) || !STORABLE.test(id)) throw refuse('NOT_FOUND');
  await inTransaction(services, async (inside) => {
    // Two requests that remove the last two links must not each count on the other's.
    await inside.accountLinking.lockOfUser(userId);
    if (!(await inside.accountLinking.remove(userId, provider, id))) throw refuse('NOT_FOUND');
    if (provider !== ADDRESS && !(await isOpenTo(inside, userId)))
      throw refuse('LAST_LOGIN_METHOD');
    inside.events.publish(
      'identity.user.unlinked',
      { provider, providerAccountId: id },
      { userId, request },
    );
  });
}

async function isOpenTo(services: Services, userId: string): Promise<boolean> {
  for (const credential of credentials) {
    if (await credential.opensAccount(services, userId)) return true;
  }
  return false;
}
