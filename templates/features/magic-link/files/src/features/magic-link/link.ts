import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Limit, Result } from '../../http/route.js';
import { mailLimits } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { proveEmail } from '../../session/credentials.js';
import { rateLimitKeyOf } from '../../session/device.js';
import { finishLogin } from '../../session/finish-login.js';
import { LOGIN_KIND } from './mails.js';

/** The method's name in sessions and events. */
export const METHOD = 'magic-link';

/** The pause comes first: a second click that it refuses must not count against the hourly limits. */
export async function loginLinkLimits(
  services: Services,
  request: RequestInfo,
  email: string,
): Promise<Limit[]> {
  const account = await rateLimitKeyOf(services, request, { email });
  const [pause, hour] = mailLimits(LOGIN_KIND, account);
  return [pause, ['magicLinkPerIp', request.ip], hour];
}

/** Signs in with the token of a link, which also proves the address. Throws INVALID_MAGIC_LINK. */
export async function useLoginLink(
  services: Services,
  request: RequestInfo,
  token: string,
): Promise<Result> {
  const userId = await services.transaction(async (tx) => {
    const link = await tx.oneTimeTokens.consume(LOGIN_KIND, token);
    const user = link && (await tx.users.findById(link.userId));
    // A link mailed to an address that the account no longer has proves nothing.
    if (!user || user.email !== link?.payload) return undefined;
    await proveEmail(tx, request, user);
    return user.id;
  });
  if (userId) return finishLogin(services, request, { userId, method: METHOD });
  throw refuse('INVALID_MAGIC_LINK');
}
