import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { type Texts, translator } from '../../pages/language.js';
import { pathTo } from '../../pages/visit.js';

const t = translator({
  de: {
    'Delete your account': 'Konto löschen',
    'Permanently, with all its data': 'Endgültig, mit allen Daten',
    'This cannot be undone. Your profile, your sessions and everything else that belongs to this account will be deleted immediately:':
      'Das lässt sich nicht rückgängig machen. Ihr Profil, Ihre Sitzungen und alles andere, was zu diesem Konto gehört, wird sofort gelöscht:',
    'Delete my account permanently': 'Mein Konto endgültig löschen',
    'Your account is deleted': 'Ihr Konto ist gelöscht',
    'Its data has been removed. Thank you for using this service.':
      'Die Daten wurden entfernt. Danke, dass Sie diesen Dienst genutzt haben.',
    LAST_ADMIN: 'Der letzte Administrator kann nicht entfernt werden.',
  },
} satisfies Texts);

export const accountDeletionPages: FeatureParts = {
  texts: t.texts,
  accountPages: {
    '/ui/account/delete': {
      section: 'data',
      order: 2,
      title: () => t('Delete your account'),
      state: () => t('Permanently, with all its data'),
      content: (visit) => html`
<p>${t('This cannot be undone. Your profile, your sessions and everything else that belongs to this account will be deleted immediately:')} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'delete', submit: t('Delete my account permanently'), look: 'danger' })}`,
      forms: {
        delete: {
          submits: 'DELETE /account',
          next: (visit) => pathTo(visit, '/ui/account-deleted'),
        },
      },
    },
  },
  pages: {
    '/ui/account-deleted': {
      title: () => t('Your account is deleted'),
      content: () =>
        html`<p>${t('Its data has been removed. Thank you for using this service.')}</p>`,
    },
  },
};
