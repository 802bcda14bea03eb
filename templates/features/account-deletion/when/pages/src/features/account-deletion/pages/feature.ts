import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { form } from '../../pages/form.js';
import { defineTexts } from '../../pages/language.js';
import type { Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';

const texts = defineTexts({
  en: {
    title: 'Delete your account',
    state: 'For good, with all that belongs to it',
    text: 'This cannot be undone. Your profile, your sessions and everything else that belongs to this account will be deleted at once:',
    confirm: 'Delete my account for good',
    deleted: 'Your account is deleted',
    deletedText: 'Nothing of it is left here. Thank you for using this service.',
  },
  de: {
    title: 'Konto löschen',
    state: 'Endgültig, mit allem, was dazugehört',
    text: 'Das lässt sich nicht rückgängig machen. Ihr Profil, Ihre Sitzungen und alles andere, was zu diesem Konto gehört, wird sofort gelöscht:',
    confirm: 'Mein Konto endgültig löschen',
    deleted: 'Ihr Konto ist gelöscht',
    deletedText: 'Hier ist nichts mehr davon. Danke, dass Sie diesen Dienst genutzt haben.',
  },
});

/** A page of its own asks before it is done. */
const deletePage: AccountPage = {
  path: '/ui/account/delete',
  section: 'data',
  order: 2,
  title: ({ language }) => texts[language].title,
  state: ({ language }) => texts[language].state,
  content: (visit) => {
    const t = texts[visit.language];
    return html`<p>${t.text} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'delete', submit: t.confirm, look: 'danger' })}`;
  },
  forms: {
    delete: { submits: 'DELETE /account', next: (visit) => pathTo(visit, '/ui/account-deleted') },
  },
};

const deletedPage: Page = {
  path: '/ui/account-deleted',
  title: ({ language }) => texts[language].deleted,
  content: ({ language }) => html`<p>${texts[language].deletedText}</p>`,
};

export const accountDeletionPages = defineFeature({
  errorTexts: { de: { LAST_ADMIN: 'Der letzte Administrator kann nicht entfernt werden.' } },
  accountPages: [deletePage],
  pages: [deletedPage],
});
