import type { FeatureParts } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import { codeField, type Field } from '../../pages/field.js';
import { confirmedForm, form } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, redirectAfterSignIn, sentNotice } from '../../pages/login.js';
import { carryTo, pathTo, pathWith, type SignedIn } from '../../pages/visit.js';
import type { sms } from '../feature.js';
import { parsePhoneNumber } from '../numbers.js';
import { phoneName } from '../phone.js';

const t = translator({
  en: { sms: 'Phone' },
  de: {
    sms: 'Telefon',
    Phone: 'Telefon',
    'No number yet': 'Noch keine Nummer',
    'You can sign in with a code that we text you.':
      'Sie können sich mit einem Code anmelden, den wir Ihnen per SMS schicken.',
    'Phone number': 'Telefonnummer',
    'With its country code, such as +44 7700 900123.': 'Mit Landesvorwahl, etwa +49 171 3920015.',
    'Text me a code': 'Code per SMS schicken',
    'We texted you a code. It is valid for 10 minutes.':
      'Wir haben Ihnen einen Code geschickt. Er gilt 10 Minuten.',
    'The code was sent to': 'Der Code ging an',
    'Use another number, or get a new code': 'Andere Nummer angeben oder neuen Code anfordern',
    'Your phone number is confirmed. Your other sessions have ended.':
      'Ihre Telefonnummer ist bestätigt. Ihre anderen Sitzungen sind beendet.',
    'Remove the number': 'Nummer entfernen',
    'Texted codes will no longer work. Your other sessions will end.':
      'Mit Codes per SMS können Sie sich dann nicht mehr anmelden. Ihre anderen Sitzungen enden.',
    'Your phone number was removed.': 'Ihre Telefonnummer ist entfernt.',
    'Enter your code': 'Code eingeben',
    'If there is an account with this address and a phone, a code was texted to it. It is valid for 10 minutes.':
      'Falls es ein Konto mit dieser Adresse und einer Telefonnummer gibt, ist ein Code per SMS unterwegs. Er gilt 10 Minuten.',
    Code: 'Code',
    INVALID_PHONE_NUMBER: 'Geben Sie die Nummer mit Landesvorwahl an, etwa +4915112345678.',
    PHONE_COUNTRY_NOT_ALLOWED: 'Nummern aus diesem Land können hier nicht verwendet werden.',
    INVALID_SMS_CODE: 'Dieser Code ist falsch oder nicht mehr gültig.',
    LAST_LOGIN_METHOD:
      'Das ist Ihre einzige Möglichkeit, sich anzumelden. Fügen Sie zuerst eine andere hinzu.',
  },
} satisfies TextsOf<typeof sms>);

const code = codeField('code', t('Code'));

export const smsPages: FeatureParts = {
  texts: t.texts,
  signInWay: {
    name: 'sms',
    label: t('Text me a code'),
    form: { submits: 'POST /sms/send' },
    codePage: '/ui/sms',
  },
  pages: {
    // Takes the texted code; a cookie holds who it was requested for.
    '/ui/sms': {
      title: () => t('Enter your code'),
      elsewhere: (visit) => (visit.carried ? undefined : pathTo(visit, '/ui/login')),
      content: (visit) => html`
${sentNotice(visit, t('If there is an account with this address and a phone, a code was texted to it. It is valid for 10 minutes.'), t('We texted you a code. It is valid for 10 minutes.'))}
${form(visit, { name: 'verify', fields: [code], submit: t('Sign in') })}
${otherWays(visit)}`,
      forms: {
        verify: {
          submits: 'POST /sms/verify',
          beside: { INVALID_SMS_CODE: 'code' },
          next: redirectAfterSignIn,
        },
      },
    },
  },
  accountPages: {
    // A number to sign in with: a code is texted to it first.
    '/ui/account/phone': {
      section: 'access',
      order: 3,
      title: () => t('Phone'),
      state: async (visit) => (await numberOf(visit)) ?? t('No number yet'),
      content: (visit) => (isCodeSent(visit) ? codeForm(visit) : numberForms(visit)),
      forms: {
        add: {
          submits: 'POST /add-phone',
          done: t('We texted you a code. It is valid for 10 minutes.'),
          beside: { INVALID_PHONE_NUMBER: 'phoneNumber' },
          keepsCarried: true,
          next: async (visit, _result, { phoneNumber = '' }) => {
            const sentTo = (await parsePhoneNumber(phoneNumber)) ?? '';
            const fields = { sentTo, userId: visit.caller.user.id };
            return pathWith(carryTo(visit, '/ui/account/phone', fields), { done: 'add' });
          },
        },
        verify: {
          submits: 'POST /verify-phone',
          done: t('Your phone number is confirmed. Your other sessions have ended.'),
          beside: { INVALID_SMS_CODE: 'code' },
        },
        remove: {
          submits: 'POST /add-phone',
          done: t('Your phone number was removed.'),
          input: (fields) => ({ ...fields, phoneNumber: null }),
        },
      },
    },
  },
};

/** Also after they have left the page, but not for the next user of the browser. */
const isCodeSent = ({ carried, caller, query }: SignedIn) =>
  carried?.userId === caller.user.id && !query.has('another');

const numberOf = ({ services, caller }: SignedIn) => services.sms.findNumber(caller.user.id);

async function numberForms(visit: SignedIn): Promise<Html> {
  const current = await numberOf(visit);
  const phoneNumber: Field = {
    name: 'phoneNumber',
    label: t('Phone number'),
    hint: t('With its country code, such as +44 7700 900123.'),
    type: 'tel',
    autocomplete: 'tel',
    inputmode: 'tel',
  };
  return html`<p>${t('You can sign in with a code that we text you.')}${current && html` <strong>${current}</strong>`}</p>
${form(visit, { name: 'add', fields: [phoneNumber], submit: t('Text me a code') })}
${current && confirmedForm(visit, t('Texted codes will no longer work. Your other sessions will end.'), { name: 'remove', submit: t('Remove the number') })}`;
}

function codeForm(visit: SignedIn): Html {
  const sentTo = visit.carried?.sentTo;
  return html`${sentTo && html`<p>${t('The code was sent to')} ${phoneName(sentTo)}.</p>`}
${form(visit, { name: 'verify', fields: [code], submit: t('Confirm') })}
<footer><a href="${pathTo(visit, '/ui/account/phone', { another: '1' })}">${t('Use another number, or get a new code')}</a></footer>`;
}
