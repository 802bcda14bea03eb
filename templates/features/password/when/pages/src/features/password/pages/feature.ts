import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { Route } from '../../../http/route.js';
import type { Field } from '../../pages/field.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import { pathTo } from '../../pages/paths.js';
import type { ProofField } from '../../pages/refusal.js';
import { pagesTexts } from '../../pages/texts.js';
import type { Visit } from '../../pages/visit.js';
import { changePasswordPage } from './change-password.js';
import { currentPassword, newPassword } from './fields.js';
import { forgotPasswordPage, resetPasswordPage } from './reset-password.js';
import { errorTexts, texts } from './texts.js';

const signInWay: SignInWay = {
  name: 'password',
  label: ({ language }) => pagesTexts[language].signIn,
  fields: ({ language }) => [{ ...currentPassword(language, 'password'), isOptional: true }],
  aside: (visit) =>
    html`<p><a href="${pathTo(visit, '/ui/forgot-password')}">${texts[visit.language].forgot}</a></p>`,
  form: { submits: 'POST /login', next: goOnSignedIn },
};

const proofField: ProofField = {
  refuses: 'INVALID_CURRENT_PASSWORD',
  isSet: async ({ password }, userId) => (await password.findHash(userId)) !== undefined,
  field: (language) => currentPassword(language, 'currentPassword', texts[language].current),
};

const registerFields = ({ language }: Visit): Field[] => [newPassword(language, 'password')];

export const passwordPages = defineFeature({
  accountPages: [changePasswordPage],
  errorTexts,
  proofField,
  signInWay,
  registerFields,
  routes: (): Route[] => [...forgotPasswordPage, ...resetPasswordPage],
});
