import * as z from 'zod';
import type { Cause } from '../../events/bus.js';
import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import type { Text } from '../../http/html.js';
import { notice } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { hasWayIn } from '../../session/credentials.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import type { LoginCheck } from '../../session/finish-login.js';
import { strongFactorsOf } from '../../session/reauthentication.js';
import type { User } from '../../users/user.js';
import { setting } from '../settings/feature.js';
import {
  availableFactors,
  ChallengeReply,
  callerOfSetUp,
  isSecondFactorRequired,
  isSettingUp,
  openChallenge,
  SETUP_TOKEN,
  SetUpRequired,
} from './challenge.js';

/**
 * Asks for a second factor if the user has a strong one, or if the policy requires one. The
 * factor that was used first does not count.
 * Throws 2FA_SETUP_REQUIRED if one is required and the user has none, with a token for the set-up unless the sign-in
 * is weak.
 */
const loginCheck: LoginCheck = {
  refuses: ['2FA_SETUP_REQUIRED'],
  refusalFields: SetUpRequired,
  challenge: ChallengeReply,
  async check(services, account, signIn) {
    if (signIn.firstMethod !== undefined) return undefined;
    const strong = await strongFactorsOf(services, account);
    const isDue = strong.some((name) => name !== signIn.method);
    if (!isDue && !(await isSecondFactorRequired(services, account))) return undefined;
    const available2faMethods = await availableFactors(services, account, signIn.method);
    if (available2faMethods.length === 0) {
      // Whoever this is could lock the owner out with a factor of their own.
      if (signIn.isWeak) throw refuse('2FA_SETUP_REQUIRED');
      const tempToken = await openChallenge(services, signIn, SETUP_TOKEN);
      throw refuse('2FA_SETUP_REQUIRED', { fields: { requires2FASetup: true, tempToken } });
    }
    const tempToken = await openChallenge(services, signIn);
    return { body: { requiresTwoFactor: true, tempToken, available2faMethods } };
  },
};

const factorsReset = notice(() => ({
  subject: { en: 'Your second factors were removed', de: 'Ihre zweiten Faktoren wurden entfernt' },
  paragraphs: [
    {
      en: 'An administrator has removed the second factors of your account, and signed you out everywhere.',
      de: 'Die Administration hat die zweiten Faktoren Ihres Kontos entfernt und Sie überall abgemeldet.',
    },
    {
      en: 'If you did not ask for this, contact an administrator immediately.',
      de: 'Falls Sie nicht darum gebeten haben, wenden Sie sich sofort an die Administration.',
    },
  ],
}));

/** The factors that a sign-in may require as its second step and that an account can lose. */
export function removableOf({ features }: Services) {
  return features.flatMap(({ factor, credential }) =>
    factor && credential ? { factor, credential } : [],
  );
}

/**
 * In a transaction: removes the second factors of a user who has lost them, but never the only way into the
 * account, ends their sessions, and notifies them; false if there was none to remove. The caller checks who may.
 */
export async function resetFactors(
  tx: Services,
  { id, email }: User,
  cause: Cause,
): Promise<boolean> {
  await tx.users.lock(id);
  const removed: Text[] = [];
  for (const { credential } of removableOf(tx)) {
    const isRemovable = !credential.opensAccount || (await hasWayIn(tx, id, credential));
    if (isRemovable) removed.push(...((await credential.forget?.(tx, id, cause)) ?? []));
  }
  await endSessionsOfUser(tx, cause, id, 'factors-reset');
  if (removed.length > 0) await tx.mails.add('factorsReset', { email });
  return removed.length > 0;
}

export const secondFactor = defineFeature({
  mails: { factorsReset },
  errors: {
    INVALID_TEMP_TOKEN: [400, 'This sign-in has expired. Start again.'],
    TEMP_TOKEN_REQUIRED: [400, 'The tempToken of the sign-in is required.'],
    METHOD_NOT_AVAILABLE: [400, 'This method is not available here.'],
    '2FA_SETUP_REQUIRED': [403, 'Set up a second factor first.'],
    '2FA_REQUIRED': [403, 'A second factor is required for this account.'],
  },
  limits: {
    /** Guesses at one challenge, for as long as it lives; a new one requires the first factor again. */
    answersToChallenge: { points: 5, seconds: 300, scope: 'strict', isAlwaysOn: true },
    /**
     * Failed second steps of an account, over all its sign-ins: an attacker who knows the first factor can
     * begin any number of them. Once the wait has grown it allows 10 guesses an hour, so guessing a code of
     * six digits, of which three are valid at a time, takes years (ASVS 6.6.3).
     */
    secondStepsOfAccount: { points: 10, seconds: 900, isGrowing: true, isAlwaysOn: true },
  },
  settings: {
    /** True: nobody signs in without a second factor. */
    require2FA: setting(z.boolean(), () => false),
  },
  ownBrowser: isSettingUp,
  callerOfToken: callerOfSetUp,
  loginCheck,
  uiFeatures: () => ({ twoFactor: true }),
});
