import { refuse } from '../../http/errors.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { Success } from '../../session/views.js';
import { post } from '../admin/route.js';
import { findUser } from '../admin/users/find-user.js';
import { KIND, mailVerification } from './verification.js';

export const adminRoutes = [
  post(
    '/users/{id}/send-verification-email',
    {
      summary: 'Mail a link that verifies the address of a user',
      permission: 'users:write',
      reply: Success,
      errors: ['NOT_FOUND', 'ALREADY_VERIFIED'],
      // The mail is sent after the answer, when a transaction would be over.
      waits: true,
    },
    async ({ commit, params, services }) => {
      const user = await findUser(services, params);
      if (user.emailVerifiedAt !== null) throw refuse('ALREADY_VERIFIED');
      await services.limiter.consume(mailLimits(KIND, user.email));
      await commit(async () => mailVerification(services, user));
      return { body: { success: true } };
    },
  ),
];
