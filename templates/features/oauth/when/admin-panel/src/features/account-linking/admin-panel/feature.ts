import type * as z from 'zod';
import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { readList, table } from '../../admin-panel/list.js';
import { time } from '../../admin-panel/parts.js';
import { type Texts, translator } from '../../pages/language.js';
import type { LinkedAccountView } from '../linked-accounts.js';

const t = translator({
  de: {
    'Linked accounts': 'Verknüpfte Konten',
    Provider: 'Anbieter',
    Account: 'Konto',
    Linked: 'Verknüpft',
  },
} satisfies Texts);

export const accountLinkingAdminPanel: FeatureParts = {
  panelUserSection: {
    permission: 'users:read',
    content: async (visit) => {
      const route = 'GET /users/{id}/linked-accounts';
      const all = { limit: '100' };
      const { items } = await readList<z.output<typeof LinkedAccountView>>(visit, route, all);
      return html`<h2>${t('Linked accounts')}</h2>
${table(items, [
  [t('Provider'), ({ provider }) => provider],
  [t('Account'), ({ email, name, providerAccountId }) => email ?? name ?? providerAccountId],
  [t('Linked'), ({ linkedAt }) => time(visit, linkedAt)],
])}`;
    },
  },
};
