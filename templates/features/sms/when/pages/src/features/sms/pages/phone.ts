import { type Html, html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { codeField, type Field } from '../../pages/field.js';
import { confirmedForm, form } from '../../pages/form.js';
import { inLanguage } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import type { SignedIn } from '../../pages/visit.js';
import { texts } from './texts.js';

const PATH = '/ui/account/phone';

function numberOf({ services, caller }: SignedIn): Promise<string | undefined> {
  return services.sms.findNumber(caller.user.id);
}

/** A number to sign in with: it is texted a code first. */
export const phonePage: AccountPage = {
  path: PATH,
  section: 'access',
  order: 3,
  title: ({ language }) => texts[language].phone,
  state: async (visit) => (await numberOf(visit)) ?? texts[visit.language].noPhone,
  done: ({ language }) => ({
    add: texts[language].codeSent,
    verify: texts[language].phoneAdded,
    remove: texts[language].phoneRemoved,
  }),
  content: (visit) => (visit.query.get('done') === 'add' ? codeForm(visit) : numberForms(visit)),
  forms: {
    add: {
      submits: 'POST /add-phone',
      input: inLanguage,
      beside: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    },
    verify: { submits: 'POST /verify-phone', beside: { INVALID_SMS_CODE: 'code' } },
    remove: { submits: 'POST /add-phone', input: () => ({ phoneNumber: null }) },
  },
};

async function numberForms(visit: SignedIn): Promise<Html> {
  const t = texts[visit.language];
  const current = await numberOf(visit);
  const phoneNumber: Field = {
    name: 'phoneNumber',
    label: current ? t.newNumber : t.number,
    hint: t.numberHint,
    type: 'tel',
    autocomplete: 'tel',
    inputmode: 'tel',
  };
  return html`<p>${t.phoneText}${current && html` <strong>${current}</strong>`}</p>
${form(visit, { name: 'add', fields: [phoneNumber], submit: t.textMe })}
${current && confirmedForm(visit, t.removeText, { name: 'remove', submit: t.remove })}`;
}

function codeForm(visit: SignedIn): Html {
  const t = texts[visit.language];
  return html`${form(visit, { name: 'verify', fields: [codeField('code', t.code)], submit: t.verify })}
<p class="beside"><a href="${pathTo(visit, PATH)}">${t.otherNumber}</a></p>`;
}
