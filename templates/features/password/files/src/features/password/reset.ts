import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { proveEmail } from '../../users/prove-email.js';
import { hashPassword } from './hash.js';
import { passwordChangedMail, resetMail } from './mail.js';

const KIND = 'password-reset';
const HOUR = 60 * 60 * 1000;

/**
 * Mails a reset link, valid for one hour, if the address has an account. The work happens after the
 * answer: neither its content nor its time tells whether there is one (ASVS 6.3.8).
 */
export function requestReset(services: Services, email: string, language?: string): void {
  services.background.run('reset mail', async () => {
    const user = await services.users.findByEmail(email);
    if (!user || user.disabledAt !== null) return;
    const token = await services.oneTimeTokens.issue(KIND, user.id, HOUR, user.email);
    // From APP_URL, never from the Host header: that is the sender's to choose.
    const url = `${services.config.APP_URL}/reset-password?token=${token}`;
    await services.mailer.send(resetMail(user.email, url, language));
  });
}

/**
 * Sets a new password by a mailed token and ends all sessions: whoever knew the old password is out.
 * The token proves the address; if nobody had done so before, all other ways in that wait are removed.
 * What is asked for besides a password stays: else the mailbox alone would lift it.
 * Throws INVALID_RESET_TOKEN if the token is unknown, used or expired.
 */
export async function resetPassword(
  services: Services,
  request: RequestFacts,
  token: string,
  newPassword: string,
): Promise<void> {
  // A made-up token must not occupy the hashing that sign-ins wait for.
  if (!(await services.oneTimeTokens.find(KIND, token))) throw refuse('INVALID_RESET_TOKEN');
  // Hashed beforehand: a transaction must not wait for bcrypt.
  const hash = await hashPassword(newPassword, services.config.BCRYPT_COST);
  const owner = await inTransaction(services, async (inside) => {
    const consumed = await inside.oneTimeTokens.consume(KIND, token);
    const user = consumed && (await inside.users.findById(consumed.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== consumed?.payload) throw refuse('INVALID_RESET_TOKEN');
    await endSessionsOfUser(inside, { request }, user.id, 'password-reset');
    await proveEmail(inside, request, user, { keepsAdditional: true });
    await inside.password.save(user.id, hash);
    inside.events.publish(
      'identity.user.password.changed',
      { method: 'reset' },
      { userId: user.id, request },
    );
    return user;
  });
  await services.limiter.reset('loginOfAccount', owner.email);
  tellOfChange(services, owner.email);
}

/** Mails the owner that the password has changed. */
export function tellOfChange(services: Services, email: string): void {
  const url = `${services.config.APP_URL}/forgot-password`;
  services.background.run('password notice', () =>
    services.mailer.send(passwordChangedMail(email, url)),
  );
}
