import { defineFeature } from '../../../feature.js';
import { codeField } from '../../pages/form.js';
import { redirectAfterSignIn, type SignInWay } from '../../pages/login.js';
import type { ProofField } from '../../pages/refusal.js';
import { METHOD } from '../codes.js';
import { authenticatorPage } from './authenticator.js';
import { ownBrowser, setUpPage } from './set-up.js';
import { t, texts } from './texts.js';

const signInWay: SignInWay = {
  name: METHOD,
  label: t('Continue'),
  isSecondStep: true,
  fields: [
    {
      ...codeField('totpCode', t('Code from your authenticator app')),
      hint: t('Six digits, or one of your recovery codes.'),
      // Recovery codes contain letters, so a numeric keyboard would not do.
      inputmode: undefined,
    },
  ],
  form: {
    submits: 'POST /2fa/verify',
    beside: { INVALID_TOTP_CODE: 'totpCode' },
    next: redirectAfterSignIn,
  },
};

const proofField: ProofField = {
  refuses: 'INVALID_TOTP_CODE',
  isStrong: true,
  isSet: async ({ users }, userId) => (await users.findAccount(userId))?.isTotpEnabled ?? false,
  field: codeField('code', t('Code from your authenticator app')),
};

export const totpPages = defineFeature({
  accountPages: [authenticatorPage],
  texts,
  ownBrowser,
  proofField,
  signInWay,
  pages: [setUpPage],
});
