import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { emailField, form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { AccountPage, Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { destinationOf } from '../../pages/visit.js';
import type { emailChange } from '../feature.js';

const texts = defineTexts({
  current: { en: 'Your account has the address', de: 'Ihr Konto hat die Adresse' },
  newEmail: { en: 'New email address', de: 'Neue E-Mail-Adresse' },
  changeText: {
    en: 'We will mail you a link there. Until you open it, nothing changes.',
    de: 'Wir schicken einen Link dorthin. Bis Sie ihn öffnen, ändert sich nichts.',
  },
  sent: {
    en: 'A mail is on its way to the new address. Its link works for one hour.',
    de: 'Eine E-Mail ist an die neue Adresse unterwegs. Ihr Link gilt eine Stunde.',
  },
  title: { en: 'Confirm your new address', de: 'Neue Adresse bestätigen' },
  text: {
    en: 'This address will replace the current one of your account. Your other sessions will end.',
    de: 'Diese Adresse ersetzt die bisherige Ihres Kontos. Ihre anderen Sitzungen enden.',
  },
  confirm: { en: 'Use this address', de: 'Diese Adresse verwenden' },
  done: { en: 'Your account has its new address.', de: 'Ihr Konto hat seine neue Adresse.' },
});

const errorTexts: ErrorTextsOf<typeof emailChange> = {
  de: {
    INVALID_EMAIL_CHANGE_TOKEN: 'Dieser Link ist nicht mehr gültig.',
    'This is already the address of the account.': 'Das ist schon die Adresse Ihres Kontos.',
    EMAIL_IN_USE: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};

/** Moves the account to another address, once the link mailed there is confirmed. */
const emailPage: AccountPage = {
  path: '/ui/account/email',
  section: 'about',
  order: 1,
  title: () => pagesTexts.email,
  state: ({ caller }) => caller.user.email,
  content: (visit) => {
    const field = {
      ...emailField,
      name: 'newEmail',
      label: texts.newEmail,
      hint: texts.changeText,
      autocomplete: 'email',
    };
    return html`<p>${texts.current} <strong>${visit.caller.user.email}</strong></p>
${form(visit, { name: 'change', fields: [field], submit: pagesTexts.mailLink })}`;
  },
  forms: {
    change: { submits: 'POST /change-email/request', done: texts.sent },
  },
};

/** Where the mail to the new address leads: a click moves the account there. */
const changeEmailPage: Page = {
  path: '/ui/change-email',
  takesToken: true,
  title: () => texts.title,
  content: (visit) => {
    if (!visit.carried) {
      return html`${!visit.query.has('done') && !visit.refusal && html`<p>${pagesTexts.openLink}</p>`}
<p><a class="button primary" href="${destinationOf(visit)}">${pagesTexts.yourAccount}</a></p>`;
    }
    return html`<p>${texts.text}</p>
${form(visit, { name: 'confirm', submit: texts.confirm })}`;
  },
  forms: {
    confirm: { submits: 'POST /change-email/confirm', usesCarried: true, done: texts.done },
  },
};

export const emailChangePages = defineFeature({
  accountPages: [emailPage],
  errorTexts,
  pages: [changeEmailPage],
});
