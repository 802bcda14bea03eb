import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Result } from '../../http/route.js';
import type { Services } from '../../services.js';
import { proveEmail } from '../../session/credentials.js';
import { finishLogin } from '../../session/finish-login.js';
import { magicLinkMail } from './mails.js';

/** The method's name in sessions and events. */
export const METHOD = 'magic-link';
/** The kind of one-time token that signs in. */
export const LOGIN_KIND = 'magic-link';
/** In ms. Short, since whoever can read the mailbox meanwhile can sign in. */
export const LIFETIME = 15 * 60 * 1000;

/**
 * Where a link leads: a page of the front end, which sends the token by POST when a person asks it
 * to. So the visit of a mail scanner uses nothing up. From APP_URL, never from the Host header, which
 * the sender of the request chooses.
 */
export function magicLinkOf(services: Services, token: string): string {
  return `${services.config.APP_URL}/magic-link?token=${token}`;
}

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
  request: RequestInfo,
  token: string,
): Promise<Result> {
  const userId = await services.transaction(async (tx) => {
    const link = await tx.oneTimeTokens.consume(LOGIN_KIND, token);
    const user = link && (await tx.users.findById(link.userId));
    // A link that was mailed to an address which the account has left proves nothing.
    if (!user || user.email !== link?.payload) return undefined;
    await proveEmail(tx, request, user);
    return user.id;
  });
  if (userId) return finishLogin(services, request, { userId, method: METHOD });
  throw refuse('INVALID_MAGIC_LINK');
}
