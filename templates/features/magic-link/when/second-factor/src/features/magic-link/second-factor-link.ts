import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import type { Reply } from '../../http/route.js';
import { mailLimits } from '../../mail/mail-limits.js';
import type { Services } from '../../services.js';
import { answerChallenge, requireChallenge } from '../second-factor/challenge.js';
import type { LoginChallenge } from '../second-factor/store.js';
import { magicLinkAsSecondFactor } from './as-second-factor.js';
import { LIFETIME, LOGIN_KIND, METHOD, magicLinkOf } from './link.js';
import { secondFactorMail } from './second-factor-mail.js';

const KIND = 'magic-link-2fa';

/**
 * Mails a link that finishes the sign-in of the temp token, and no other.
 * Throws TEMP_TOKEN_REQUIRED; INVALID_TEMP_TOKEN, also if this user has no such second factor.
 */
export async function requestSecondFactorLink(
  services: Services,
  tempToken: string | undefined,
  language?: string,
): Promise<void> {
  const { id, userId, method } = await requireChallenge(services, tempToken);
  const account = await services.users.findAccount(userId);
  const isAvailable = account && (await magicLinkAsSecondFactor.isAvailable(services, account));
  if (!isAvailable || method === METHOD) {
    const message = 'A mailed link cannot finish this sign-in.';
    throw refuse('INVALID_TEMP_TOKEN', { message });
  }
  const { email } = account.user;
  await services.limiter.consume(mailLimits(KIND, email));
  services.background.run('magic link', async () => {
    const token = await services.oneTimeTokens.issue(KIND, userId, LIFETIME, id);
    await services.mailer.send(secondFactorMail(email, magicLinkOf(services, token), language));
  });
}

/**
 * Finishes the sign-in of the temp token by a link. Throws TEMP_TOKEN_REQUIRED, INVALID_TEMP_TOKEN,
 * INVALID_MAGIC_LINK; TOKEN_MISMATCH for a link that signs in, or of another sign-in.
 */
export async function useSecondFactorLink(
  services: Services,
  request: RequestFacts,
  tempToken: string | undefined,
  token: string,
): Promise<Reply> {
  const challenge = await requireChallenge(services, tempToken);
  return answerChallenge(services, request, challenge, {
    method: METHOD,
    wrong: 'INVALID_MAGIC_LINK',
    isRight: () => useLinkOf(services, challenge, token),
  });
}

/** Throws TOKEN_MISMATCH for the link of a second step: it must not be the first one. */
export async function requireNoSecondFactorLink(services: Services, token: string): Promise<void> {
  if (await services.oneTimeTokens.find(KIND, token)) throw refuse('TOKEN_MISMATCH');
}

async function useLinkOf(
  { oneTimeTokens }: Services,
  challenge: LoginChallenge,
  token: string,
): Promise<boolean> {
  const link = await oneTimeTokens.find(KIND, token);
  if (!link && (await oneTimeTokens.find(LOGIN_KIND, token))) throw refuse('TOKEN_MISMATCH');
  // The challenge is of one user: who opened another one cannot bring a link of theirs.
  if (link && link.payload !== challenge.id) throw refuse('TOKEN_MISMATCH');
  return (await oneTimeTokens.consume(KIND, token)) !== undefined;
}
