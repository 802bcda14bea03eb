import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { Success } from '../../../http/replies.js';
import type { Route } from '../../../http/route.js';
import { mailLimits } from '../../../mail/compose-mail.js';
import { adminPrefix } from '../../admin/feature.js';
import { findUser } from '../../admin/privilege.js';
import { post } from '../../admin/route.js';
import { KIND } from '../mails.js';

export const emailVerificationAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    post(
      '/users/{id}/send-verification-email',
      {
        summary: 'Mail a link that verifies the address of a user',
        permission: 'users:write',
        reply: Success,
        errors: ['NOT_FOUND', 'ALREADY_VERIFIED'],
        // The limit is counted outside of the transaction.
        waits: true,
      },
      async ({ commit, params, services }) => {
        const user = await findUser({ params, services });
        if (user.emailVerifiedAt !== null) throw refuse('ALREADY_VERIFIED');
        await services.limiter.consume(mailLimits(KIND, user.email));
        await commit((tx) => tx.mails.add('verification', { userId: user.id }));
        return { body: { success: true } };
      },
    ),
  ],
});
