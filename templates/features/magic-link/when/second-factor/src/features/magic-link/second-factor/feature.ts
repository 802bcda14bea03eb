import { defineFeature } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import type { RequestInfo } from '../../../http/request.js';
import type { Result } from '../../../http/route.js';
import { linkMail } from '../../../mail/compose-mail.js';
import type { Services } from '../../../services.js';
import { type Factor, strongFactorsOf } from '../../../session/reauthentication.js';
import { answerChallenge, findChallenge, requireChallenge } from '../../second-factor/challenge.js';
import { LIFETIME, LOGIN_KIND, linkPage, METHOD } from '../link.js';

export const KIND = 'magic-link-2fa';

const magicLinkSecondStep = linkMail({
  kind: KIND,
  lifetime: LIFETIME,
  page: linkPage,
  subject: { en: 'Finish signing in', de: 'Schließen Sie die Anmeldung ab' },
  paragraphs: [
    {
      en: 'Someone is signing in to your account, and this link is the second step. It works once, within 15 minutes.',
      de: 'Jemand meldet sich an Ihrem Konto an, und dieser Link ist der zweite Schritt. Er gilt einmal und 15 Minuten lang.',
    },
    {
      en: 'If this was not you, do not open it. Someone else has passed the first step of signing in: secure all your sign-in methods immediately.',
      de: 'Falls Sie das nicht sind, öffnen Sie ihn nicht. Jemand anderes hat den ersten Schritt der Anmeldung geschafft: Sichern Sie sofort alle Wege, auf denen Sie sich anmelden.',
    },
  ],
  action: { en: 'Finish signing in', de: 'Anmeldung abschließen' },
});

/**
 * Not for users with a strong factor: with one link as the first factor and another as the second,
 * access to the mailbox alone would pass both steps.
 */
const factor: Factor = {
  name: METHOD,
  async isAvailable(services, account) {
    if (account.user.emailVerifiedAt === null) return false;
    return (await strongFactorsOf(services, account)).length === 0;
  },
};

/**
 * Finishes by a link the sign-in of the temp token, else the one that the link was mailed for. Undefined for a link that
 * signs in. `mode` decides only where the link does not: clients send `login` with every link.
 * Throws INVALID_MAGIC_LINK; TEMP_TOKEN_REQUIRED, INVALID_TEMP_TOKEN; TOKEN_MISMATCH for a link that signs in, or for that
 * of another sign-in: an attacker cannot bring a link of their own.
 */
export async function finishByLink(
  services: Services,
  request: RequestInfo,
  { token, tempToken, mode }: { token: string; tempToken?: string; mode?: 'login' | '2fa' },
): Promise<Result | undefined> {
  const { oneTimeTokens } = services;
  const link = await oneTimeTokens.find(KIND, token);
  if (!link && mode !== '2fa') return undefined;
  const challenge =
    link && !tempToken
      ? await findChallenge(services, link.payload)
      : await requireChallenge(services, tempToken);
  if (!challenge) throw refuse('INVALID_MAGIC_LINK');
  return answerChallenge(services, request, challenge, {
    method: METHOD,
    wrong: 'INVALID_MAGIC_LINK',
    provesEmail: true,
    async isRight() {
      // What signs in carries an address instead.
      const sent = link ?? (await oneTimeTokens.find(LOGIN_KIND, token));
      if (sent && sent.payload !== challenge.id) throw refuse('TOKEN_MISMATCH');
      return (await oneTimeTokens.consume(KIND, token)) !== undefined;
    },
  });
}

export const magicLinkSecondFactor = defineFeature({
  mails: { magicLinkSecondStep },
  errors: {
    TOKEN_MISMATCH: [400, 'This link does not belong to this sign-in.'],
  },
  factor,
});
