import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Services } from '../../services.js';
import type { User } from '../../users/user.js';
import { verificationMail } from './mails.js';

export const KIND = 'email-verification';
/** A link that was used stays known as such: a mail scanner may have opened it before its owner. */
const SPENT_KIND = 'email-verification-spent';
const DAY = 24 * 60 * 60 * 1000;

/** Mails a verification link, valid for 24 hours, off the request path. */
export function mailVerification(services: Services, user: User, language?: string): void {
  const { config } = services;
  services.background.run('verification mail', async () => {
    const token = await services.oneTimeTokens.issue(KIND, user.id, DAY, user.email);
    const url = `${config.BASE_URL}${config.AUTH_PREFIX}/verify-email?token=${token}`;
    await services.mailer.send(verificationMail(user.email, url, language));
  });
}

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
