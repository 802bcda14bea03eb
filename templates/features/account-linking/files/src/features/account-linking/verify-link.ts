import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { inTransaction, type Services } from '../../services.js';
import { proveEmail } from '../../users/prove-email.js';
import { linkAccount } from './link-account.js';
import { consumeLinkToken, type Link } from './link-token.js';
import { ADDRESS } from './provider-account.js';

/**
 * Makes the link that was mailed. If nobody had proved the account's address before, whoever waited in
 * it for its owner is put out first. What a session asked for ends with it: else a thief who was put
 * out could still open the account by an address of theirs. Throws INVALID_LINK_TOKEN.
 */
export async function verifyLink(
  services: Services,
  request: RequestFacts,
  token: string,
): Promise<Link> {
  return inTransaction(services, async (inside) => {
    const link = await consumeLinkToken(inside, token);
    const user = link && (await inside.users.findById(link.userId));
    if (!user) throw refuse('INVALID_LINK_TOKEN');
    const { account, mailedTo, sessionId, userId } = link;
    const hasEnded = sessionId !== undefined && !(await inside.sessions.find(sessionId));
    if (hasEnded) throw refuse('INVALID_LINK_TOKEN');
    const holder = await inside.users.findByEmail(mailedTo);
    const isOwnAddress = holder?.id === userId;
    // The address has changed hands since, or the account has left it: the reader decides about neither.
    const isStillFree = holder === undefined && account.provider === ADDRESS;
    if (!isOwnAddress && !isStillFree) throw refuse('INVALID_LINK_TOKEN');
    if (isOwnAddress) await proveEmail(inside, request, user);
    if (!(await linkAccount(inside, request, userId, account))) throw refuse('INVALID_LINK_TOKEN');
    await inside.accountLinking.closePending(account);
    return link;
  });
}
