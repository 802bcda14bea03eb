import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { actButton } from '../../admin-panel/parts.js';
import { type Texts, translator } from '../../pages/language.js';

const t = translator({
  en: {
    emailVerificationMode:
      'Confirmation of email addresses: lazy asks for it after a grace period, strict before the first sign-in',
  },
  de: {
    emailVerificationMode:
      'Bestätigung von E-Mail-Adressen: lazy verlangt sie nach einer Frist, strict vor der ersten Anmeldung',
    'This address is not confirmed yet.': 'Diese Adresse ist noch nicht bestätigt.',
    'The link is on its way.': 'Der Link ist unterwegs.',
    'Email a link to confirm it': 'Link zum Bestätigen zuschicken',
  },
} satisfies Texts);

export const emailVerificationAdminPanel: FeatureParts = {
  texts: t.texts,
  panelUserSection: {
    permission: 'users:write',
    content: async (visit, { isEmailVerified }, isBelow) => {
      if (isEmailVerified || !isBelow) return undefined;
      return html`<h2>${t('Email address')}</h2>
<p>${t('This address is not confirmed yet.')}</p>
${actButton(visit, 'verify-email', t('Email a link to confirm it'))}`;
    },
    forms: {
      'verify-email': {
        submits: 'POST /users/{id}/send-verification-email',
        done: t('The link is on its way.'),
      },
    },
  },
};
