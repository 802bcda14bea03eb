import type * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { Listed } from '../../admin/list.js';
import { table } from '../../admin-panel/list.js';
import { read } from '../../admin-panel/panel.js';
import { time } from '../../admin-panel/parts.js';
import type { UserSection } from '../../admin-panel/user.js';
import { defineTexts } from '../../pages/language.js';
import type { LinkedAccountView } from '../linked-accounts.js';

const texts = defineTexts({
  title: { en: 'Linked accounts', de: 'Verknüpfte Konten' },
  provider: { en: 'Provider', de: 'Anbieter' },
  account: { en: 'Account', de: 'Konto' },
  linked: { en: 'Linked', de: 'Verknüpft' },
});

const linkedSection: UserSection = {
  permission: 'users:read',
  content: async (visit) => {
    const { linkedAccounts } = await read<
      Listed<'linkedAccounts', z.output<typeof LinkedAccountView>>
    >(visit, 'GET /users/{id}/linked-accounts', { limit: 100 });
    return html`<h2>${texts.title}</h2>
${table(linkedAccounts, [
  { title: texts.provider, cell: ({ provider }) => provider },
  {
    title: texts.account,
    cell: ({ email, name, providerAccountId }) => email ?? name ?? providerAccountId,
  },
  { title: texts.linked, cell: ({ linkedAt }) => time(visit, linkedAt) },
])}`;
  },
};

export const accountLinkingAdminPanel = defineFeature({ panelUserSection: linkedSection });
