import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { mailLimits } from '../../../mail/compose-mail.js';
import { linkMail } from '../../../mail/kinds.js';
import type { Services } from '../../../services.js';
import { requireChallenge } from '../../second-factor/challenge.js';
import type { SecondFactor } from '../../second-factor/second-factor.js';
import type { LoginChallenge } from '../../second-factor/store.js';
import { METHOD } from '../link.js';
import { LIFETIME, LOGIN_KIND, linkPage } from '../mails.js';

const KIND = 'magic-link-2fa';

const magicLinkSecondStep = linkMail({
  kind: KIND,
  lifetime: LIFETIME,
  page: linkPage,
  texts: (url) => ({
    en: {
      subject: 'Finish signing in',
      paragraphs: [
        'Somebody is signing in to your account, and this link is the second step. It works once, in the browser that asked for it.',
        'If it was not you, do not open it: somebody can do your first step. Change what it asks for at once.',
      ],
      action: { label: 'Finish signing in', url },
    },
  }),
});

const secondFactor: SecondFactor = {
  name: METHOD,
  isAvailable: async (_services, { user }) => user.emailVerifiedAt !== null,
};

/** Mails a link that finishes this sign-in, and no other. Throws INVALID_TEMP_TOKEN if the user cannot. */
export async function requestSecondFactorLink(
  services: Services,
  { id, userId, method }: LoginChallenge,
  language?: string,
): Promise<void> {
  const account = await services.users.findAccount(userId);
  if (!account || method === METHOD || !(await secondFactor.isAvailable(services, account))) {
    const message = 'A mailed link cannot finish this sign-in.';
    throw refuse('INVALID_TEMP_TOKEN', { message });
  }
  await services.limiter.consume(mailLimits(KIND, account.user.email));
  await services.mails.add('magicLinkSecondStep', { userId, payload: id, language });
}

/**
 * The sign-in that a link is to finish: that of the temp token, else the one that the link was mailed
 * for. Undefined for a link that signs in. `mode` decides only where the link does not: clients send
 * `login` with every link. Throws INVALID_MAGIC_LINK, TEMP_TOKEN_REQUIRED, INVALID_TEMP_TOKEN.
 */
export async function challengeOfLink(
  services: Services,
  { token, tempToken, mode }: { token: string; tempToken?: string; mode?: 'login' | '2fa' },
): Promise<LoginChallenge | undefined> {
  const link = await services.oneTimeTokens.find(KIND, token);
  if (!link && mode !== '2fa') return undefined;
  if (!link || tempToken) return requireChallenge(services, tempToken);
  const challenge = await services.secondFactor.find(link.payload);
  if (!challenge) throw refuse('INVALID_MAGIC_LINK');
  return challenge;
}

/**
 * True if the link was mailed for this very sign-in; it is used up. Throws TOKEN_MISMATCH for a link
 * that signs in, or of another sign-in: an attacker cannot bring a link of their own.
 */
export async function useSecondFactorLink(
  { oneTimeTokens }: Services,
  { id }: LoginChallenge,
  token: string,
): Promise<boolean> {
  const link = await oneTimeTokens.find(KIND, token);
  if (!link && (await oneTimeTokens.find(LOGIN_KIND, token))) throw refuse('TOKEN_MISMATCH');
  if (link && link.payload !== id) throw refuse('TOKEN_MISMATCH');
  return (await oneTimeTokens.consume(KIND, token)) !== undefined;
}

export const magicLinkSecondFactor = defineFeature({
  mails: { magicLinkSecondStep },
  errors: {
    TOKEN_MISMATCH: [400, 'This link does not belong to this sign-in.'],
  },
  secondFactor,
});
