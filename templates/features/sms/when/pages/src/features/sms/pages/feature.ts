import { defineFeature } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import { codeField, confirmedForm, type Field, form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import type { AccountPage, Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo, type SignedIn } from '../../pages/visit.js';
import type { sms } from '../feature.js';

const texts = defineTexts({
  phone: { en: 'Phone', de: 'Telefon' },
  noPhone: { en: 'No number yet', de: 'Noch keine Nummer' },
  phoneText: {
    en: 'We text codes to your phone when you sign in.',
    de: 'Wenn Sie sich anmelden, schicken wir Codes an Ihr Telefon.',
  },
  number: { en: 'Phone number', de: 'Telefonnummer' },
  newNumber: { en: 'New phone number', de: 'Neue Telefonnummer' },
  numberHint: {
    en: 'With its country code, such as +44 20 7946 0123.',
    de: 'Mit Landesvorwahl, etwa +49 30 901820.',
  },
  textMe: { en: 'Text me a code', de: 'Code per SMS schicken' },
  codeSent: {
    en: 'We texted you a code. It is valid for 10 minutes.',
    de: 'Wir haben Ihnen einen Code geschickt. Er gilt 10 Minuten.',
  },
  verify: { en: 'Confirm the number', de: 'Nummer bestätigen' },
  otherNumber: {
    en: 'Use another number, or ask for a new code',
    de: 'Andere Nummer verwenden oder neuen Code anfordern',
  },
  phoneAdded: { en: 'Your phone number is confirmed.', de: 'Ihre Telefonnummer ist bestätigt.' },
  remove: { en: 'Remove the number', de: 'Nummer entfernen' },
  removeText: {
    en: 'You will no longer be able to sign in by a texted code.',
    de: 'Sie können sich dann nicht mehr mit einem Code per SMS anmelden.',
  },
  phoneRemoved: { en: 'Your phone number is removed.', de: 'Ihre Telefonnummer ist entfernt.' },
  title: { en: 'Enter your code', de: 'Code eingeben' },
  sent: {
    en: 'If there is an account with this address and a phone, a code was texted to it. It is valid for 10 minutes.',
    de: 'Falls es ein Konto mit dieser Adresse und einer Telefonnummer gibt, ist ein Code per SMS unterwegs. Er gilt 10 Minuten.',
  },
  code: { en: 'Code', de: 'Code' },
});

const errorTexts: ErrorTextsOf<typeof sms> = {
  de: {
    INVALID_PHONE_NUMBER: 'Geben Sie die Nummer mit Landesvorwahl an, etwa +4915112345678.',
    PHONE_COUNTRY_NOT_ALLOWED: 'Nummern dieses Landes können hier nicht verwendet werden.',
    INVALID_SMS_CODE: 'Dieser Code ist falsch oder nicht mehr gültig.',
  },
};

const signInWay: SignInWay = {
  name: 'sms',
  label: texts.textMe,
  form: { submits: 'POST /sms/send' },
  codePage: '/ui/sms',
};

/** Takes the texted code; a cookie holds who it was requested for. */
const smsCodePage: Page = {
  path: '/ui/sms',
  title: () => texts.title,
  elsewhere: (visit) => (visit.carried ? undefined : pathTo(visit, '/ui/login')),
  content: (visit) => html`<p class="notice good" role="status">${texts.sent}</p>
${form(visit, { name: 'verify', fields: [codeField('code', texts.code)], submit: pagesTexts.signIn })}
<p><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.otherWay}</a></p>`,
  forms: {
    verify: {
      submits: 'POST /sms/verify',
      usesCarried: true,
      beside: { INVALID_SMS_CODE: 'code' },
      next: goOnSignedIn,
    },
  },
};

function numberOf({ services, caller }: SignedIn): Promise<string | undefined> {
  return services.sms.findNumber(caller.user.id);
}

/** A number to sign in with: a code is texted to it first. */
const phonePage: AccountPage = {
  path: '/ui/account/phone',
  section: 'access',
  order: 3,
  title: () => texts.phone,
  state: async (visit) => (await numberOf(visit)) ?? texts.noPhone,
  content: (visit) => (visit.query.get('done') === 'add' ? codeForm(visit) : numberForms(visit)),
  forms: {
    add: {
      submits: 'POST /add-phone',
      done: texts.codeSent,
      beside: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    },
    verify: {
      submits: 'POST /verify-phone',
      done: texts.phoneAdded,
      beside: { INVALID_SMS_CODE: 'code' },
    },
    remove: {
      submits: 'POST /add-phone',
      done: texts.phoneRemoved,
      input: (fields) => ({ ...fields, phoneNumber: null }),
    },
  },
};

async function numberForms(visit: SignedIn): Promise<Html> {
  const current = await numberOf(visit);
  const phoneNumber: Field = {
    name: 'phoneNumber',
    label: current ? texts.newNumber : texts.number,
    hint: texts.numberHint,
    type: 'tel',
    autocomplete: 'tel',
    inputmode: 'tel',
  };
  return html`<p>${texts.phoneText}${current && html` <strong>${current}</strong>`}</p>
${form(visit, { name: 'add', fields: [phoneNumber], submit: texts.textMe })}
${current && confirmedForm(visit, texts.removeText, { name: 'remove', submit: texts.remove })}`;
}

function codeForm(visit: SignedIn): Html {
  return html`${form(visit, { name: 'verify', fields: [codeField('code', texts.code)], submit: texts.verify })}
<footer><a href="${pathTo(visit, phonePage.path)}">${texts.otherNumber}</a></footer>`;
}

export const smsPages = defineFeature({
  accountPages: [phonePage],
  errorTexts,
  signInWay,
  pages: [smsCodePage],
});
