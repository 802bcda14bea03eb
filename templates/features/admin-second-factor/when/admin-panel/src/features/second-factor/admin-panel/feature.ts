import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { read } from '../../admin-panel/panel.js';
import { badge, confirmed } from '../../admin-panel/parts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  require2FA: { en: 'Second factor for all users', de: 'Zweiter Faktor für alle Konten' },
  factors: { en: 'Second factors', de: 'Zweite Faktoren' },
  none: { en: 'None is set up.', de: 'Keiner ist eingerichtet.' },
  reset: { en: 'Reset', de: 'Zurücksetzen' },
  resetText: {
    en: 'Their second factors are removed, their sessions end, and a mail tells them so. Make sure that the request is really theirs.',
    de: 'Die zweiten Faktoren werden entfernt, die Sitzungen enden, und eine E-Mail benachrichtigt die Person. Vergewissern Sie sich, dass sie selbst darum bittet.',
  },
});

const factorsSection: UserSection = {
  permission: 'users:read',
  content: async (visit) => {
    const { factors } = await read<{ factors: string[] }>(visit, 'GET /users/{id}/factors');
    const mayReset = hasPermission(visit.caller, 'users:write') && factors.length > 0;
    return html`<h2>${texts.factors}</h2>
<p>${factors.length > 0 ? factors.map((name) => html`${badge(name)} `) : texts.none}</p>
${mayReset && confirmed(visit, texts.resetText, { name: 'reset-factors', submit: texts.reset })}`;
  },
  forms: { 'reset-factors': { submits: 'POST /users/{id}/factors/reset' } },
};

export const secondFactorAdminPanel = defineFeature({
  settingLabels: texts,
  panelUserSection: factorsSection,
});
