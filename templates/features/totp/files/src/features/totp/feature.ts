import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { Issued, post, type Route } from '../../http/route.js';
import { changeNotice } from '../../mail/compose-mail.js';
import type { Credential } from '../../session/credentials.js';
import type { Factor, Reauthentication } from '../../session/reauthentication.js';
import { answerChallenge, CHALLENGE_ERRORS, requireChallenge } from '../second-factor/challenge.js';
import { inUse, METHOD, pendingSecret, useAnyCode, useTotpCode } from './codes.js';
import { forgetTotp, setUpRoutes } from './set-up.js';
import { totpStore } from './store.js';

/** A code of the authenticator app replaces a recent sign-in. */
const reauthentication: Reauthentication = {
  field: 'code',
  shows: METHOD,
  refuses: 'INVALID_TOTP_CODE',
  async verify(services, { user }, value) {
    await services.limiter.consume([['totpCodesOfAccount', user.id]]);
    if (!(await useTotpCode(services, user.id, value))) throw refuse('INVALID_TOTP_CODE');
    await services.limiter.reset('totpCodesOfAccount', user.id);
  },
};

const credential: Credential = { forget: forgetTotp };

const factor: Factor = {
  name: METHOD,
  isStrong: true,
  isAvailable: async (_services, account) => account.isTotpEnabled,
};

const totpEnabled = changeNotice(
  { en: 'An authenticator app was set up', de: 'Eine Authenticator-App wurde eingerichtet' },
  () => ({
    en: 'Signing in to your account now asks for a code from your authenticator app.',
    de: 'Bei der Anmeldung wird nun ein Code aus Ihrer Authenticator-App verlangt.',
  }),
);

const totpDisabled = changeNotice(
  { en: 'Your authenticator app was removed', de: 'Ihre Authenticator-App wurde entfernt' },
  () => ({
    en: 'Signing in to your account no longer asks for a code.',
    de: 'Bei der Anmeldung wird kein Code mehr verlangt.',
  }),
);

const recoveryCodesReplaced = changeNotice(
  { en: 'New recovery codes were generated', de: 'Neue Wiederherstellungscodes wurden erstellt' },
  () => ({
    en: 'The old recovery codes of your account no longer work.',
    de: 'Die bisherigen Wiederherstellungscodes Ihres Kontos gelten nicht mehr.',
  }),
);

const recoveryCodeUsed = changeNotice(
  { en: 'A recovery code was used', de: 'Ein Wiederherstellungscode wurde benutzt' },
  ({ left }: { left: number }) => ({
    en: `Someone signed in to your account with one of your recovery codes. Codes left: ${left}.`,
    de: `Jemand hat sich mit einem Ihrer Wiederherstellungscodes angemeldet. Verbleibende Codes: ${left}.`,
  }),
);

export const totp = defineFeature({
  mails: { totpEnabled, totpDisabled, recoveryCodesReplaced, recoveryCodeUsed },
  errors: {
    INVALID_TOTP_CODE: [400, 'The code is wrong or was already used.'],
    EMAIL_NOT_VERIFIED: [403, 'Confirm your address first, by a mailed link.'],
  },
  limits: {
    /** Codes of one account outside a challenge: set-up, and reauthentication before sensitive operations. */
    totpCodesOfAccount: { points: 5, seconds: 300, isGrowing: true, isAlwaysOn: true },
  },
  events: {
    'identity.user.2fa.enabled': event<{ method: 'totp' }>(),
    'identity.user.2fa.disabled': event<{ method: 'totp' }>(),
  },
  reauthentication,
  amr: { [METHOD]: 'otp' },
  credential,
  factor,
  sealedColumns: [inUse, pendingSecret],
  stores: (db: Db) => ({ totp: totpStore(db) }),
  routes: (): Route[] => [
    ...setUpRoutes,

    post('/2fa/verify', {
      summary: 'Finish a sign-in with a code from the app, or a recovery code',
      body: z.object({ tempToken: z.string().max(4096), totpCode: z.string().min(1).max(64) }),
      reply: Issued,
      errors: [...CHALLENGE_ERRORS, 'INVALID_TOTP_CODE'],
      signsIn: METHOD,
      limits: ({ request }) => [['secretsPerIp', request.ip]],
      handle: async ({ body, request, services }) => {
        const challenge = await requireChallenge(services, body.tempToken);
        return answerChallenge(services, request, challenge, {
          method: METHOD,
          wrong: 'INVALID_TOTP_CODE',
          isRight: () => useAnyCode(services, request, challenge.userId, body.totpCode),
        });
      },
    }),
  ],
});
