import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import type { Call } from '../../http/route.js';
import { mailLimits } from '../../mail/compose-mail.js';
import type { Caller } from '../../session/authenticate.js';
import { proveEmail } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { requireAcceptableEmail } from '../../users/user.js';
import { KIND } from './mails.js';

/** The new address, and the session that requested the change and survives it. */
const Payload = z.object({ newEmail: z.string(), sessionId: z.string() });

/** Mails a link to the new address only, valid for one hour, whether or not that has an account. Throws VALIDATION_FAILED. */
export async function requestEmailChange({
  body: { newEmail, emailLang },
  caller: { user, sessionId },
  services,
}: Call<{ newEmail: string; emailLang?: string | undefined }, Caller>): Promise<undefined> {
  if (newEmail === user.email) {
    const message = 'This is already the address of the account.';
    throw refuse('VALIDATION_FAILED', { details: [{ path: 'newEmail', message }] });
  }
  await requireAcceptableEmail(newEmail, 'newEmail');
  // Many accounts must not flood one address; the route has counted the account itself.
  if (await services.limiter.allows(mailLimits(KIND, newEmail))) {
    const change = { userId: user.id, sessionId, newEmail, language: emailLang };
    await services.mails.add('emailChange', change);
  }
}

/**
 * Moves the account to the address that the token was mailed to. Everything mailed to the old address
 * becomes void, and all sessions end but the requesting one: whoever reads the old mailbox or holds a
 * forgotten session has no way back in. The token is void once the requesting session has ended, by a
 * reset for example: else a thief who was signed out could still move the account to their address.
 * Throws INVALID_EMAIL_CHANGE_TOKEN, EMAIL_IN_USE.
 */
export async function confirmEmailChange({
  body,
  request,
  services,
}: Call<{ token: string }>): Promise<undefined> {
  await services.transaction(async (tx) => {
    const consumed = await tx.oneTimeTokens.consume(KIND, body.token);
    const user = consumed && (await tx.users.lock(consumed.userId));
    if (!user) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    const { id: userId, email } = user;
    const { newEmail, sessionId } = Payload.parse(JSON.parse(consumed.payload));
    if (!(await tx.sessions.find(sessionId))) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
    if (!(await tx.users.changeEmail(userId, newEmail))) throw refuse('EMAIL_IN_USE');
    await proveEmail(tx, request, { ...user, email: newEmail });
    await tx.oneTimeTokens.revokeAll(userId);
    await endSessionsOfUser(tx, { request }, userId, 'email-changed', sessionId);
    const emails = { oldEmail: email, newEmail };
    tx.events.publish('identity.user.email.changed', emails, { userId, request });
    await tx.mails.add('emailChanged', { email, newEmail });
  });
}
