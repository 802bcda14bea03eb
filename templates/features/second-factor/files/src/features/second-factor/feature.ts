import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import type { Credential } from '../../session/credentials.js';
import type { LoginCheck } from '../../session/finish-login.js';
import { setting } from '../settings/feature.js';
import {
  availableFactors,
  ChallengeReply,
  closeChallenges,
  isSecondFactorRequired,
  isSettingUp,
  openChallenge,
  SETUP_TOKEN,
  SetUpRequired,
} from './challenge.js';

/** A pending sign-in is no credential. It ends when all sessions end. */
const credential: Credential = { stopSignIns: closeChallenges };

/**
 * Asks for a second factor if the user has an authenticator app, or if the policy requires one. The
 * factor that was used first does not count.
 * Throws 2FA_SETUP_REQUIRED if one is required and the user has none.
 */
const loginCheck: LoginCheck = {
  refuses: ['2FA_SETUP_REQUIRED'],
  refusalFields: SetUpRequired,
  challenge: ChallengeReply,
  async check(services, _request, account, signIn) {
    if (signIn.firstMethod !== undefined) return undefined;
    if (!account.isTotpEnabled && !(await isSecondFactorRequired(services, account)))
      return undefined;
    const available2faMethods = await availableFactors(services, account, signIn.method);
    if (available2faMethods.length === 0) {
      const tempToken = await openChallenge(services, signIn, SETUP_TOKEN);
      throw refuse('2FA_SETUP_REQUIRED', { fields: { requires2FASetup: true, tempToken } });
    }
    const tempToken = await openChallenge(services, signIn);
    return { body: { requiresTwoFactor: true, tempToken, available2faMethods } };
  },
};

export const secondFactor = defineFeature({
  errors: {
    INVALID_TEMP_TOKEN: [400, 'This sign-in has expired. Start again.'],
    TEMP_TOKEN_REQUIRED: [400, 'The tempToken of the sign-in is required.'],
    METHOD_NOT_AVAILABLE: [400, 'This method cannot finish this sign-in.'],
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
    secondStepsOfAccount: {
      points: 10,
      seconds: 900,
      scope: 'shared',
      isGrowing: true,
      isAlwaysOn: true,
    },
  },
  settings: {
    /** True: nobody signs in without a second factor. */
    require2FA: setting(z.boolean(), () => false),
  },
  credential,
  ownBrowser: isSettingUp,
  loginCheck,
  uiFeatures: () => ({ twoFactor: true }),
});
