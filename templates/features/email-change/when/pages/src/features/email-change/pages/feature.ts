import type { FeatureParts } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import { emailField, type Field } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { removalNotice } from '../../pages/login.js';
import type { emailChange } from '../feature.js';
import { KIND, payloadOf } from '../mails.js';

const t = translator({
  de: {
    'New email address': 'Neue E-Mail-Adresse',
    'We will email a link to it. Until you open the link, nothing changes.':
      'Wir schicken einen Link dorthin. Bis Sie ihn öffnen, ändert sich nichts.',
    'Confirm your new email address': 'Neue Adresse bestätigen',
    'Your other sessions will end, and the email address of your account will change to:':
      'Ihre anderen Sitzungen enden, und die E-Mail-Adresse Ihres Kontos wird geändert in:',
    'The email address of the account that requested this will change to:':
      'Die E-Mail-Adresse des Kontos, das darum gebeten hat, wird geändert in:',
    'Your email address was changed.': 'Ihre Adresse ist geändert.',
    INVALID_EMAIL_CHANGE_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    'This is already the address of the account.': 'Das ist schon die Adresse Ihres Kontos.',
    EMAIL_IN_USE: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
} satisfies TextsOf<typeof emailChange>);

const newEmail: Field = {
  ...emailField,
  name: 'newEmail',
  label: t('New email address'),
  hint: t('We will email a link to it. Until you open the link, nothing changes.'),
  autocomplete: 'email',
};

export const emailChangePages: FeatureParts = {
  texts: t.texts,
  accountPages: {
    // Moves the account to another address, once the link mailed there is confirmed.
    '/ui/account/email': {
      section: 'about',
      order: 1,
      title: () => t('Email address'),
      state: ({ caller }) => caller.user.email,
      content: (visit) => html`
<p>${t('You are signed in as')} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'change', fields: [newEmail], submit: t('Email me a link') })}`,
      forms: {
        change: {
          submits: 'POST /change-email/request',
          done: t('An email is on its way. Open its link in this browser within an hour.'),
        },
      },
    },
  },
  pages: {
    // Where the mail to the new address leads: a click moves the account there.
    '/ui/change-email': {
      takesTokenFrom: '/ui/account/email',
      title: () => t('Confirm your new email address'),
      content: async (visit) => {
        const found = await visit.services.oneTimeTokens.find(KIND, visit.carried?.token ?? '');
        const user = found && (await visit.services.users.findById(found.userId));
        if (!user) throw refuse('INVALID_EMAIL_CHANGE_TOKEN');
        // The new mailbox may be a stranger's, by a typo: the account is named only to its own browser.
        const own = visit.caller?.user.id === found.userId && visit.caller.user.email;
        return html`
${own && html`<p>${t('You are signed in as')} <strong>${own}</strong></p>`}
<p>${t(own ? 'Your other sessions will end, and the email address of your account will change to:' : 'The email address of the account that requested this will change to:')} <strong>${payloadOf(found).newEmail}</strong></p>
${await removalNotice(visit, user)}
${form(visit, { name: 'confirm', submit: t('Confirm') })}`;
      },
      forms: {
        confirm: {
          submits: 'POST /change-email/confirm',
          done: t('Your email address was changed.'),
        },
      },
    },
  },
};
