import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import { currentSetting } from '../../settings/current-setting.js';
import type { User } from '../../users/user.js';
import { verificationMail } from './mail.js';
import type { verificationModes } from './settings.js';

export const KIND = 'email-verification';
/** A link that was used stays known as such: a mail scanner may have opened it before its owner. */
const SPENT_KIND = 'email-verification-spent';
const DAY = 24 * 60 * 60 * 1000;

/** What is asked for now: the stored setting, else EMAIL_VERIFICATION. */
export async function verificationMode(
  services: Services,
): Promise<(typeof verificationModes)[number]> {
  return currentSetting(services, 'emailVerificationMode');
}

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
  request: RequestFacts,
  token: string,
): Promise<void> {
  const isSpent = await inTransaction(services, async (inside) => {
    const spent = await inside.oneTimeTokens.spend(KIND, token, SPENT_KIND);
    const user = spent && (await inside.users.findById(spent.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== spent?.payload) return false;
    if (await inside.users.markEmailVerified(user.id)) {
      inside.events.publish(
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
