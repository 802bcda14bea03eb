import { z } from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { Issued, Success } from '../../http/replies.js';
import { post, type Route } from '../../http/route.js';
import type { Credential } from '../../session/credentials.js';
import type { Reauthentication } from '../../session/reauthentication.js';
import { answerChallenge, requireChallenge, SETUP_TOKEN } from '../second-factor/challenge.js';
import type { SecondFactor } from '../second-factor/second-factor.js';
import { useAnyCode, useTotpCode } from './codes.js';
import { recoveryCodesReplaced, recoveryCodeUsed, totpDisabled, totpEnabled } from './mails.js';
import { beginSetUp, confirmSetUp, removeTotp, renewRecoveryCodes } from './set-up.js';
import { totpStore } from './store.js';

/** A code of the authenticator app replaces a recent sign-in. */
const reauthentication: Reauthentication = {
  field: 'code',
  refuses: 'INVALID_TOTP_CODE',
  async verify(services, { user }, value) {
    await services.limiter.consume([['totpCodesOfAccount', user.id]]);
    if (!(await useTotpCode(services, user.id, value))) throw refuse('INVALID_TOTP_CODE');
    await services.limiter.reset('totpCodesOfAccount', user.id);
  },
};

/** Nobody can sign in with a second factor alone. */
const credential: Credential = {
  isAdditional: true,
  opensAccount: async () => false,
  forget: ({ totp }, userId) => totp.remove(userId),
};

const secondFactor: SecondFactor = {
  name: 'totp',
  isAvailable: async (_services, account) => account.isTotpEnabled,
};

const code = z.string().min(1).max(64);
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const totp = defineFeature({
  mails: { totpEnabled, totpDisabled, recoveryCodesReplaced, recoveryCodeUsed },
  errors: {
    INVALID_TOTP_CODE: [400, 'The code is wrong, or was used already.'],
  },
  limits: {
    /** Codes of one account outside a challenge: set-up, and reauthentication before sensitive operations. */
    totpCodesOfAccount: {
      points: 5,
      seconds: 300,
      scope: 'shared',
      isGrowing: true,
      boundsGuesses: true,
    },
  },
  events: {
    'identity.user.2fa.enabled': event<{ method: 'totp' }>(),
    'identity.user.2fa.disabled': event<{ method: 'totp' }>(),
  },
  reauthentication,
  credential,
  secondFactor,
  stores: (db: Db) => ({ totp: totpStore(db) }),
  routes: (): Route[] => [
    post(
      '/2fa/setup',
      {
        summary: 'Begin to set up an authenticator app',
        access: 'fresh',
        acceptsToken: SETUP_TOKEN,
        reply: z.object({ secret: z.string(), otpauthUrl: z.string(), qrCode: z.string() }),
      },
      beginSetUp,
    ),

    post(
      '/2fa/verify-setup',
      {
        summary: 'Confirm the authenticator app with its first code',
        access: 'signed-in',
        acceptsToken: SETUP_TOKEN,
        body: z.object({ token: code, secret: z.string().min(1).max(128) }),
        reply: Success.extend(RecoveryCodes.shape),
        errors: ['INVALID_TOTP_CODE'],
        limits: ({ caller }) => [['totpCodesOfAccount', caller.user.id]],
      },
      confirmSetUp,
    ),

    post(
      '/2fa/verify',
      {
        summary: 'Finish a sign-in with a code of the app, or a recovery code',
        body: z.object({ tempToken: z.string().max(4096), totpCode: code }),
        reply: Issued,
        errors: ['TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN', 'INVALID_TOTP_CODE'],
        signsIn: 'totp',
      },
      async ({ body, request, services }) =>
        answerChallenge(services, request, await requireChallenge(services, body.tempToken), {
          method: 'totp',
          wrong: 'INVALID_TOTP_CODE',
          isRight: ({ userId }) => useAnyCode(services, userId, body.totpCode),
        }),
    ),

    post(
      '/2fa/disable',
      {
        summary: 'Remove the authenticator app',
        access: 'fresh',
        reply: Success,
        errors: ['2FA_REQUIRED'],
      },
      removeTotp,
    ),

    post(
      '/2fa/recovery-codes',
      { summary: 'Make new recovery codes', access: 'fresh', reply: RecoveryCodes },
      renewRecoveryCodes,
    ),
  ],
});
