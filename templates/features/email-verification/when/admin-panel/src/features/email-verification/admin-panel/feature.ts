import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { actButton } from '../../admin-panel/parts.js';
import { panelTexts } from '../../admin-panel/texts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  emailVerificationMode: {
    en: 'Confirmation of email addresses',
    de: 'Bestätigung von E-Mail-Adressen',
  },
  text: { en: 'This address is not confirmed yet.', de: 'Diese Adresse ist noch nicht bestätigt.' },
  send: { en: 'Mail the link again', de: 'Link noch einmal zuschicken' },
});

const verificationSection: UserSection = {
  permission: 'users:write',
  content: async (visit, { isEmailVerified }) => {
    if (isEmailVerified) return undefined;
    return html`<h2>${panelTexts.email}</h2>
<p>${texts.text}</p>
${actButton(visit, 'verify-email', texts.send)}`;
  },
  forms: { 'verify-email': { submits: 'POST /users/{id}/send-verification-email' } },
};

export const emailVerificationAdminPanel = defineFeature({
  settingLabels: texts,
  panelUserSection: verificationSection,
});
