import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { actButton } from '../../admin-panel/parts.js';
import { panelTexts } from '../../admin-panel/texts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  en: {
    emailVerificationMode: 'Confirmation of email addresses',
    text: 'This address is not confirmed yet.',
    send: 'Mail the link again',
  },
  de: {
    emailVerificationMode: 'Bestätigung von E-Mail-Adressen',
    text: 'Diese Adresse ist noch nicht bestätigt.',
    send: 'Link noch einmal zuschicken',
  },
});

const verificationSection: UserSection = {
  permission: 'users:write',
  content: async (visit, { isEmailVerified }) => {
    const t = texts[visit.language];
    if (isEmailVerified) return undefined;
    return html`<h2>${panelTexts[visit.language].email}</h2>
<p>${t.text}</p>
${actButton(visit, 'verify-email', t.send)}`;
  },
  forms: { 'verify-email': { submits: 'POST /users/{id}/send-verification-email' } },
};

export const emailVerificationAdminPanel = defineFeature({
  settingLabels: texts,
  panelUserSection: verificationSection,
});
