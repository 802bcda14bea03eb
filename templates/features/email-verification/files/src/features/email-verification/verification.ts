import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { now } from '../../process/clock.js';
import type { Services } from '../../services.js';
import { isOwnBrowser, proveEmail, verifyEmail } from '../../session/credentials.js';
import { KIND } from './mails.js';

/** Used links are remembered: a mail scanner may have opened the link before its owner. */
const SPENT_KIND = 'email-verification-spent';

/**
 * Verifies the address that the link was mailed to. It signs nobody in and changes no credential, so a scanner that
 * opens it gives nothing away. Only in the account's own browser does it prove the address: whoever reads the mail
 * and whoever opened the account are the same there. That browser may come after a scanner.
 * Throws INVALID_VERIFICATION_TOKEN.
 */
export async function openVerificationLink(
  services: Services,
  request: RequestInfo,
  token: string,
): Promise<void> {
  await services.transaction(async (tx) => {
    const link = await tx.oneTimeTokens.consume(KIND, token);
    if (link) {
      const { userId, payload, expiresAt } = link;
      await tx.oneTimeTokens.issue(SPENT_KIND, userId, expiresAt - now(), payload, token);
    }
    const known = link ?? (await tx.oneTimeTokens.find(SPENT_KIND, token));
    const user = known && (await tx.users.findById(known.userId));
    // A link mailed to a former address of the account proves nothing.
    if (!user || user.email !== known?.payload) throw refuse('INVALID_VERIFICATION_TOKEN');
    const isProof = user.emailProvenAt === null && (await isOwnBrowser(tx, request, user.id));
    if (isProof) return proveEmail(tx, request, user);
    // JSON clients learn that the token is used; a person who follows the link sees that all is well.
    if (!link && !request.prefersHtml) throw refuse('INVALID_VERIFICATION_TOKEN');
    await verifyEmail(tx, request, user);
  });
}
