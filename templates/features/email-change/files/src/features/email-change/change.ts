import { z } from 'zod';
import { refuse } from '../../http/errors.js';
import type { Call, Result } from '../../http/route.js';
import { mayMail } from '../../mail/compose-mail.js';
import type { Caller } from '../../session/authenticate.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { addressInUseMail, changedMail, confirmMail } from './mails.js';

export const KIND = 'email-change';
const HOUR = 60 * 60 * 1000;

/** What the token is for, and the session that asked and stays. */
const Payload = z.object({ newEmail: z.string(), sessionId: z.string() });

/**
 * Mails a link to the new address only, valid for one hour. Whether that address has an account is
 * looked up after the answer, so that neither its content nor its time tells.
 */
export async function requestEmailChange({
  body: { newEmail, emailLang },
  caller: { user, sessionId },
  services,
}: Call<{ newEmail: string; emailLang?: string | undefined }, Caller>): Promise<Result> {
  if (newEmail === user.email) {
    const message = 'This is the address of the account already.';
    throw refuse('VALIDATION_FAILED', { details: [{ path: 'newEmail', message }] });
  }
  services.background.run('email change mail', async () => {
    // Many accounts must not flood one address; the route has counted the account itself.
    if (!(await mayMail(services, KIND, newEmail))) return;
    if (await services.users.findByEmail(newEmail)) {
      await services.mailer.send(addressInUseMail(newEmail, emailLang));
      return;
    }
    const payload = JSON.stringify({ newEmail, sessionId });
    const token = await services.oneTimeTokens.issue(KIND, user.id, HOUR, payload);
    const url = `${services.config.APP_URL}/change-email?token=${token}`;
    await services.mailer.send(confirmMail(newEmail, url, emailLang));
  });
  return { body: { success: true } };
}

/**
 * Moves the account to the address that the token was mailed to. Everything mailed to the old address
 * becomes void, and all sessions end but the one that asked: whoever reads the old mailbox or holds a
 * forgotten session has no way back in. The token is void once the session that asked has ended, by a
 * reset for example: else a thief who was signed out could still move the account to their address.
 * Throws INVALID_EMAIL_CHANGE_TOKEN, EMAIL_IN_USE.
 */
export async function confirmEmailChange({
  body,
  request,
  services,
}: Call<{ token: string }>): Promise<Result> {
  const { oldEmail, newEmail } = await services.transaction(async (tx) => {
    const consumed = await tx.oneTimeTokens.consume(KIND, body.token);
    const user = consumed && (await tx.users.findById(consumed.userId));
    if (!user) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    const { id: userId, email } = user;
    const { newEmail, sessionId } = Payload.parse(JSON.parse(consumed.payload));
    if (!(await tx.sessions.find(sessionId))) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    if (!(await tx.users.changeEmail(userId, newEmail))) throw refuse('EMAIL_IN_USE');
    await tx.oneTimeTokens.revokeAll(userId);
    await endSessionsOfUser(tx, { request }, userId, 'email-changed', sessionId);
    const emails = { oldEmail: email, newEmail };
    tx.events.publish('identity.user.email.changed', emails, { userId, request });
    return emails;
  });
  services.background.run('email change notice', () =>
    services.mailer.send(changedMail(oldEmail, newEmail)),
  );
  return { body: { success: true } };
}
