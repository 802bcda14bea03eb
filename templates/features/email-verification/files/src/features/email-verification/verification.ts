import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Services } from '../../services.js';
import { KIND } from './mails.js';

/** A link that was used stays known as such: a mail scanner may have opened it before its owner. */
const SPENT_KIND = 'email-verification-spent';

/**
 * Verifies the address that the link was mailed to. Opening it again is harmless and says the same.
 * It signs nobody in and changes no credential, so a scanner that opens it gives nothing away.
 * Throws INVALID_VERIFICATION_TOKEN.
 */
export async function verifyEmail(
  services: Services,
  request: RequestInfo,
  token: string,
): Promise<void> {
  const isSpent = await services.transaction(async (tx) => {
    const spent = await tx.oneTimeTokens.spend(KIND, token, SPENT_KIND);
    const user = spent && (await tx.users.findById(spent.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== spent?.payload) return false;
    if (await tx.users.markEmailVerified(user.id)) {
      tx.events.publish(
        'identity.user.email.verified',
        { email: user.email },
        { userId: user.id, request },
      );
    }
    return true;
  });
  if (isSpent) return;
  // JSON clients learn that the token is used; a person who follows the link sees that all is well.
  const before = request.prefersHtml && (await services.oneTimeTokens.find(SPENT_KIND, token));
  if (!before) throw refuse('INVALID_VERIFICATION_TOKEN');
}
