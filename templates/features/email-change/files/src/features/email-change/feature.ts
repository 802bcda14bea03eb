import * as z from 'zod';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { post, type Route } from '../../http/route.js';
import { askedByOthers, mailLimits } from '../../mail/compose-mail.js';
import { proveEmail } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { emailField, requireAcceptableEmail } from '../../users/user.js';
import {
  emailChange as changeRequested,
  emailChanged,
  KIND,
  LIFETIME,
  payloadOf,
} from './mails.js';

export const emailChange = defineFeature({
  mails: { emailChange: changeRequested, emailChanged },
  errors: {
    INVALID_EMAIL_CHANGE_TOKEN: [400, 'This link is no longer valid.'],
    EMAIL_IN_USE: [409, 'There is already an account with this address.'],
  },
  events: {
    'identity.user.email.changed': event<{ oldEmail: string; newEmail: string }>(),
  },
  routes: (): Route[] => [
    /** Mails the new address only, whether or not it has an account. The link works for one hour. */
    post('/change-email/request', {
      summary: 'Mail a link that moves the account to a new address',
      access: 'strong',
      body: z.object({ newEmail: emailField }),
      handle: async ({ body: { newEmail }, caller, request: { language }, services }) => {
        const { user, sessionId } = caller;
        if (newEmail === user.email) {
          const message = 'This is already the address of the account.';
          throw refuse('VALIDATION_FAILED', { details: [{ path: 'newEmail', message }] });
        }
        await requireAcceptableEmail(newEmail, 'newEmail');
        // After the checks: nobody has to wait because of a mistyped address.
        await services.limiter.consume(mailLimits(KIND, user.id));
        const payload = JSON.stringify({ newEmail, sessionId });
        // Already now: when a mail that was held up is sent, its request may have been replaced or confirmed.
        await services.oneTimeTokens.issue(KIND, user.id, LIFETIME, payload);
        // Many accounts must not flood one address.
        if (await services.limiter.allows(mailLimits(KIND, askedByOthers(newEmail)))) {
          await services.mails.add('emailChange', { userId: user.id, payload, language });
        }
      },
    }),

    /**
     * Everything mailed to the old address becomes void, and all sessions end but the requesting one: whoever
     * reads the old mailbox or holds a forgotten session has no way back in. The token is void once the requesting
     * session has ended, by a reset for example: else a thief who was signed out could still move the account to
     * their address.
     */
    post('/change-email/confirm', {
      summary: 'Move the account with the mailed token',
      body: z.object({ token: z.string().min(1).max(512) }),
      readsCredential: 'accessToken',
      errors: ['INVALID_EMAIL_CHANGE_TOKEN', 'EMAIL_IN_USE'],
      limits: ({ request }) => [['secretsPerIp', request.ip]],
      handle: async ({ body, request, services }) => {
        await services.transaction(async (tx) => {
          const consumed = await tx.oneTimeTokens.consume(KIND, body.token);
          const user = consumed && (await tx.users.lock(consumed.userId));
          if (!user) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
          const { id: userId, email } = user;
          const { newEmail, sessionId } = payloadOf(consumed);
          if (!(await tx.sessions.find(sessionId))) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
          if (!(await tx.users.changeEmail(userId, newEmail))) throw refuse('EMAIL_IN_USE');
          await proveEmail(tx, request, { ...user, email: newEmail });
          await tx.oneTimeTokens.revokeAll(userId);
          await endSessionsOfUser(tx, { request }, userId, 'email-changed', sessionId);
          const emails = { oldEmail: email, newEmail };
          tx.events.publish('identity.user.email.changed', emails, { userId, request });
          await tx.mails.add('emailChanged', { email, language: request.language, newEmail });
        });
      },
    }),
  ],
});
