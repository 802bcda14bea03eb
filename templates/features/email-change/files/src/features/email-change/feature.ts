import * as z from 'zod';
import { defineFeature, event } from '../../feature.js';
import { post, type Route } from '../../http/route.js';
import { emailLang, mailLimits } from '../../mail/compose-mail.js';
import { emailField } from '../../users/user.js';
import { confirmEmailChange, requestEmailChange } from './change.js';
import { emailChange as changeRequested, emailChanged, KIND } from './mails.js';

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
    post(
      '/change-email/request',
      {
        summary: 'Mail a link that moves the account to a new address',
        access: 'strong',
        body: z.object({ newEmail: emailField, emailLang }),
        limits: ({ caller }) => mailLimits(KIND, caller.user.id),
      },
      requestEmailChange,
    ),

    post(
      '/change-email/confirm',
      {
        summary: 'Move the account with the mailed token',
        body: z.object({ token: z.string().min(1).max(512) }),
        errors: ['INVALID_EMAIL_CHANGE_TOKEN', 'EMAIL_IN_USE'],
        limits: ({ request }) => [['secretsPerIp', request.ip]],
      },
      confirmEmailChange,
    ),
  ],
});
