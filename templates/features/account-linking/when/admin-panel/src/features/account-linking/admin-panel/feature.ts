import type { z } from 'zod';
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
  en: {
    title: 'Linked accounts',
    provider: 'Provider',
    account: 'Account',
    linked: 'Linked',
  },
  de: {
    title: 'Verknüpfte Konten',
    provider: 'Anbieter',
    account: 'Konto',
    linked: 'Verknüpft',
  },
});

const linkedSection: UserSection = {
  permission: 'users:read',
  content: async (visit) => {
    const t = texts[visit.language];
    const { linkedAccounts } = await read<
      Listed<'linkedAccounts', z.output<typeof LinkedAccountView>>
    >(visit, 'GET /users/{id}/linked-accounts', { limit: 100 });
    return html`<h2>${t.title}</h2>
${table(visit, linkedAccounts, [
  { title: t.provider, cell: ({ provider }) => provider },
  {
    title: t.account,
    cell: ({ email, name, providerAccountId }) => email ?? name ?? providerAccountId,
  },
  { title: t.linked, cell: ({ linkedAt }) => time(visit, linkedAt) },
])}`;
  },
};

export const accountLinkingAdminPanel = defineFeature({ panelUserSection: linkedSection });
