import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { mayMail } from '../../mail/mail-limits.js';
import { inTransaction, type Services } from '../../services.js';
import type { Caller } from '../../session/caller.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { addressInUseMail, changedMail, confirmMail } from './mail.js';

export const KIND = 'email-change';
const HOUR = 60 * 60 * 1000;

/** What the token is for, and the session that asked and stays. */
const Payload = z.object({ newEmail: z.string(), sessionId: z.string() });

/**
 * Mails a link to the new address, and to it alone, valid for one hour. Whether the address has an
 * account is found out after the answer: neither its content nor its time tells.
 */
export function requestEmailChange(
  services: Services,
  { user, sessionId }: Caller,
  newEmail: string,
  language?: string,
): void {
  services.background.run('email change mail', async () => {
    // Many accounts must not flood one address; the limit of the account was counted before.
    if (!(await mayMail(services, KIND, newEmail))) return;
    if (await services.users.findByEmail(newEmail)) {
      await services.mailer.send(addressInUseMail(newEmail, language));
      return;
    }
    const payload = JSON.stringify({ newEmail, sessionId });
    const token = await services.oneTimeTokens.issue(KIND, user.id, HOUR, payload);
    const url = `${services.config.APP_URL}/change-email?token=${token}`;
    await services.mailer.send(confirmMail(newEmail, url, language));
  });
}

/**
 * Moves the account to the address that the token was mailed to. All else that was mailed to the old
 * address dies, and all sessions end but the one that asked: whoever reads the old mail, or sits in a
 * forgotten session, has no way back in. Once that session has ended, by a reset say, the token is
 * worth nothing: else a thief who was put out could still move the account to an address of theirs.
 * Throws INVALID_EMAIL_CHANGE_TOKEN, EMAIL_IN_USE.
 */
export async function confirmEmailChange(
  services: Services,
  request: RequestFacts,
  token: string,
): Promise<void> {
  const { oldEmail, newEmail } = await inTransaction(services, async (inside) => {
    const consumed = await inside.oneTimeTokens.consume(KIND, token);
    const user = consumed && (await inside.users.findById(consumed.userId));
    if (!user) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    const change = Payload.parse(JSON.parse(consumed.payload));
    const asker = await inside.sessions.find(change.sessionId);
    if (!asker) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    if (!(await inside.users.changeEmail(user.id, change.newEmail))) throw refuse('EMAIL_IN_USE');
    await inside.oneTimeTokens.revokeAll(user.id);
    await endSessionsOfUser(inside, { request }, user.id, 'email-changed', change.sessionId);
    const emails = { oldEmail: user.email, newEmail: change.newEmail };
    inside.events.publish('identity.user.email.changed', emails, {
      userId: user.id,
      request,
    });
    return emails;
  });
  services.background.run('email change notice', () =>
    services.mailer.send(changedMail(oldEmail, newEmail)),
  );
}
