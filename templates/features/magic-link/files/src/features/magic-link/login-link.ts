import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Reply } from '../../http/route.js';
import { inTransaction, type Services } from '../../services.js';
import { finishLogin } from '../../session/finish-login.js';
import { proveEmail } from '../../users/prove-email.js';
import { LIFETIME, LOGIN_KIND, METHOD, magicLinkOf } from './link.js';
import { magicLinkMail } from './mail.js';

/**
 * Mails a link that signs in, valid for 15 minutes, if the address has an account; none is opened for
 * it. The work happens after the answer: neither its content nor its time tells whether there is one
 * (ASVS 6.3.8).
 */
export function requestLoginLink(services: Services, email: string, language?: string): void {
  services.background.run('magic link', async () => {
    const user = await services.users.findByEmail(email);
    if (!user || user.disabledAt !== null) return;
    const token = await services.oneTimeTokens.issue(LOGIN_KIND, user.id, LIFETIME, user.email);
    await services.mailer.send(magicLinkMail(user.email, magicLinkOf(services, token), language));
  });
}

/** Signs in by the token of a link, which proves the address besides. Throws INVALID_MAGIC_LINK. */
export async function useLoginLink(
  services: Services,
  request: RequestFacts,
  token: string,
): Promise<Reply> {
  const userId = await inTransaction(services, async (inside) => {
    const link = await inside.oneTimeTokens.consume(LOGIN_KIND, token);
    const user = link && (await inside.users.findById(link.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== link?.payload) return undefined;
    await proveEmail(inside, request, user);
    return user.id;
  });
  if (userId) return finishLogin(services, request, { userId, method: METHOD });
  services.events.publish(
    'identity.auth.login.failed',
    { method: METHOD, reason: 'invalid-link', email: '' },
    { request },
  );
  throw refuse('INVALID_MAGIC_LINK');
}
