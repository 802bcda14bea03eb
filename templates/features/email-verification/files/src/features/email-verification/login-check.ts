import { now } from '../../clock.js';
import type { ErrorCode } from '../../error-codes.js';
import { refuse } from '../../http/errors.js';
import { mayMail } from '../../mail/mail-limits.js';
import type { Services } from '../../services.js';
import type { LoginCheck } from '../../session/login-check.js';
import type { User } from '../../users/user.js';
import { KIND, mailVerification, verificationMode } from './verification.js';

/**
 * In `strict` mode nobody signs in with an address that is not verified, in `lazy` mode nobody after
 * the grace period. Since the credential was right, the link is mailed again.
 * Throws EMAIL_NOT_VERIFIED, EMAIL_VERIFICATION_REQUIRED.
 */
export const emailVerificationLoginCheck: LoginCheck = {
  refuses: ['EMAIL_NOT_VERIFIED', 'EMAIL_VERIFICATION_REQUIRED'],
  async check(services, _request, { user }) {
    if (user.emailVerifiedAt !== null) return undefined;
    const code = await refusalOf(services, user);
    if (!code) return undefined;
    if (await mayMail(services, KIND, user.email)) mailVerification(services, user);
    throw refuse(code);
  },
};

async function refusalOf(services: Services, user: User): Promise<ErrorCode | undefined> {
  const mode = await verificationMode(services);
  if (mode === 'strict') return 'EMAIL_NOT_VERIFIED';
  const isPastGrace = now() - user.createdAt > services.config.EMAIL_VERIFICATION_GRACE;
  return mode === 'lazy' && isPastGrace ? 'EMAIL_VERIFICATION_REQUIRED' : undefined;
}
