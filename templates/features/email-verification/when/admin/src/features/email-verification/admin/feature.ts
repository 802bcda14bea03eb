import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { Route } from '../../../http/route.js';
import { adminPrefix } from '../../admin/feature.js';
import { findManageableUser } from '../../admin/privilege.js';
import { post } from '../../admin/route.js';
import { linkLimits } from '../mails.js';

export const emailVerificationAdmin = defineFeature({
  prefix: adminPrefix,
  routes: (): Route[] => [
    post('/users/{id}/send-verification-email', {
      summary: 'Mail a link that verifies the address of a user',
      permission: 'users:write',
      errors: ['NOT_FOUND', 'ALREADY_VERIFIED'],
      // The limit is counted outside the transaction.
      waits: true,
      handle: async (call) => {
        const { commit, services } = call;
        const user = await findManageableUser(call);
        if (user.emailProvenAt !== null) throw refuse('ALREADY_VERIFIED');
        await services.limiter.consume(linkLimits(user));
        await commit((tx) => tx.mails.add('verification', { userId: user.id }));
      },
    }),
  ],
});
