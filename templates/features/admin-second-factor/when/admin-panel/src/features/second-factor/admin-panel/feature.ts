import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { read } from '../../admin-panel/panel.js';
import { badge, confirmed } from '../../admin-panel/parts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';

const texts = defineTexts({
  en: {
    require2FA: 'Second factor for all users',
    factors: 'Second factors',
    none: 'None is set up.',
    reset: 'Reset',
    resetText:
      'Their second factors are removed, their sessions end, and a mail tells them so. Make sure that the request is really theirs.',
  },
  de: {
    require2FA: 'Zweiter Faktor für alle Konten',
    factors: 'Zweite Faktoren',
    none: 'Keiner ist eingerichtet.',
    reset: 'Zurücksetzen',
    resetText:
      'Die zweiten Faktoren werden entfernt, die Sitzungen enden, und eine E-Mail benachrichtigt die Person. Vergewissern Sie sich, dass sie selbst darum bittet.',
  },
});

const factorsSection: UserSection = {
  permission: 'users:read',
  content: async (visit) => {
    const t = texts[visit.language];
    const { factors } = await read<{ factors: string[] }>(visit, 'GET /users/{id}/factors');
    const mayReset = hasPermission(visit.caller, 'users:write') && factors.length > 0;
    return html`<h2>${t.factors}</h2>
<p>${factors.length > 0 ? factors.map((name) => html`${badge(name)} `) : t.none}</p>
${mayReset && confirmed(visit, { name: 'reset-factors', label: t.reset, warning: t.resetText })}`;
  },
  forms: { 'reset-factors': { submits: 'POST /users/{id}/factors/reset' } },
};

export const secondFactorAdminPanel = defineFeature({
  settingLabels: texts,
  panelUserSection: factorsSection,
});
