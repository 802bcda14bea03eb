import { defineFeature } from '../../../feature.js';
import { codeField } from '../../pages/form.js';
import { goOnSignedIn } from '../../pages/login.js';
import type { ProofField } from '../../pages/refusal.js';
import type { SecondStep } from '../../second-factor/pages/feature.js';
import { METHOD } from '../codes.js';
import { authenticatorPage } from './authenticator.js';
import { setUpPage } from './set-up.js';
import { errorTexts, texts } from './texts.js';

/** Recovery codes contain letters, so a numeric keyboard would not do. */
const secondStep: SecondStep = {
  name: METHOD,
  field: { ...codeField('totpCode', texts.code), hint: texts.codeHint, inputmode: undefined },
  form: {
    submits: 'POST /2fa/verify',
    usesCarried: true,
    beside: { INVALID_TOTP_CODE: 'totpCode' },
    next: goOnSignedIn,
  },
};

const proofField: ProofField = {
  refuses: 'INVALID_TOTP_CODE',
  isStrong: true,
  isSet: async ({ users }, userId) => (await users.findAccount(userId))?.isTotpEnabled ?? false,
  field: codeField('code', texts.code),
};

export const totpPages = defineFeature({
  accountPages: [authenticatorPage],
  errorTexts,
  proofField,
  secondStep,
  pages: [setUpPage],
});
