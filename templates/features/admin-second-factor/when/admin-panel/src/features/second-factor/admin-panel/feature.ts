import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { may, read } from '../../admin-panel/panel.js';
import { badge, confirmed } from '../../admin-panel/parts.js';
import { type Texts, translator } from '../../pages/language.js';
import { inLanguageOf } from '../../pages/refusal.js';

const t = translator({
  en: { require2FA: 'Second factor for all users' },
  de: {
    require2FA: 'Zweiter Faktor für alle Konten',
    'Second factors': 'Zweite Faktoren',
    'None is set up.': 'Keiner ist eingerichtet.',
    'The second factors were removed.': 'Die zweiten Faktoren sind entfernt.',
    Reset: 'Zurücksetzen',
    'Their second factors are removed, their sessions end, and an email tells them so. Make sure that the request is really theirs.':
      'Die zweiten Faktoren werden entfernt, die Sitzungen enden, und eine E-Mail benachrichtigt die Person. Vergewissern Sie sich, dass sie selbst darum bittet.',
  },
} satisfies Texts);

export const secondFactorAdminPanel: FeatureParts = {
  texts: t.texts,
  panelUserSection: {
    permission: 'users:read',
    content: async (visit, { email: about }, isBelow) => {
      const { factors } = await read<{ factors: string[] }>(visit, 'GET /users/{id}/factors');
      const mayWrite = isBelow && may(visit, 'users:write');
      const mayReset = mayWrite && factors.length > 0;
      return html`<h2>${t('Second factors')}</h2>
<p>${factors.length > 0 ? factors.map((name) => html`${badge(inLanguageOf(visit, name))} `) : t('None is set up.')}</p>
${mayReset && confirmed(visit, t('Their second factors are removed, their sessions end, and an email tells them so. Make sure that the request is really theirs.'), { name: 'reset-factors', submit: t('Reset'), about })}`;
    },
    forms: {
      'reset-factors': {
        submits: 'POST /users/{id}/factors/reset',
        done: t('The second factors were removed.'),
      },
    },
  },
};
