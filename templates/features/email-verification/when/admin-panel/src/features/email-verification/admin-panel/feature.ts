import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { actButton } from '../../admin-panel/parts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  en: {
    emailVerificationMode: 'Confirmation of email addresses',
    title: 'Email address',
    text: 'This address is not confirmed yet.',
    send: 'Mail the link again',
  },
  de: {
    emailVerificationMode: 'Bestätigung von E-Mail-Adressen',
    title: 'E-Mail-Adresse',
    text: 'Diese Adresse ist noch nicht bestätigt.',
    send: 'Link noch einmal mailen',
  },
});

const verificationSection: UserSection = {
  permission: 'users:write',
  content: async (visit, { isEmailVerified }) => {
    const t = texts[visit.language];
    if (isEmailVerified) return undefined;
    return html`<h2>${t.title}</h2>
<p>${t.text}</p>
${actButton(visit, 'verify-email', t.send)}`;
  },
  forms: { 'verify-email': { submits: 'POST /users/{id}/send-verification-email' } },
};

export const emailVerificationAdminPanel = defineFeature({
  settingLabels: texts,
  panelUserSection: verificationSection,
});
