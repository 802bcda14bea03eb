import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { defineTexts } from '../../pages/language.js';
import type { AccountPage, Page } from '../../pages/page.js';
import { pathTo } from '../../pages/visit.js';

const texts = defineTexts({
  title: { en: 'Delete your account', de: 'Konto löschen' },
  state: {
    en: 'For good, with all that belongs to it',
    de: 'Endgültig, mit allem, was dazugehört',
  },
  text: {
    en: 'This cannot be undone. Your profile, your sessions and everything else that belongs to this account will be deleted at once:',
    de: 'Das lässt sich nicht rückgängig machen. Ihr Profil, Ihre Sitzungen und alles andere, was zu diesem Konto gehört, wird sofort gelöscht:',
  },
  confirm: { en: 'Delete my account for good', de: 'Mein Konto endgültig löschen' },
  deleted: { en: 'Your account is deleted', de: 'Ihr Konto ist gelöscht' },
  deletedText: {
    en: 'Its data has been removed. Thank you for using this service.',
    de: 'Die Daten wurden entfernt. Danke, dass Sie diesen Dienst genutzt haben.',
  },
});

/** Asks for confirmation on a separate page. */
const deletePage: AccountPage = {
  path: '/ui/account/delete',
  section: 'data',
  order: 2,
  title: () => texts.title,
  state: () => texts.state,
  content: (visit) => html`<p>${texts.text} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'delete', submit: texts.confirm, look: 'danger' })}`,
  forms: {
    delete: { submits: 'DELETE /account', next: (visit) => pathTo(visit, '/ui/account-deleted') },
  },
};

const deletedPage: Page = {
  path: '/ui/account-deleted',
  title: () => texts.deleted,
  content: () => html`<p>${texts.deletedText}</p>`,
};

export const accountDeletionPages = defineFeature({
  errorTexts: { de: { LAST_ADMIN: 'Der letzte Administrator kann nicht entfernt werden.' } },
  accountPages: [deletePage],
  pages: [deletedPage],
});
