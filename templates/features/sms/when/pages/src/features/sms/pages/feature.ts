import { defineFeature } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import type { AccountPage } from '../../pages/account.js';
import { codeField, confirmedForm, type Field, form } from '../../pages/form.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import { inLanguage, type Page } from '../../pages/page.js';
import { pathTo } from '../../pages/paths.js';
import { pagesTexts } from '../../pages/texts.js';
import type { SignedIn } from '../../pages/visit.js';
import { errorTexts, texts } from './texts.js';

const signInWay: SignInWay = {
  name: 'sms',
  label: texts.textMe,
  form: { submits: 'POST /sms/send' },
  codePage: '/ui/sms',
};

/** Takes the texted code; who asked for it waits in a cookie. */
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

/** A number to sign in with: it is texted a code first. */
const phonePage: AccountPage = {
  path: '/ui/account/phone',
  section: 'access',
  order: 3,
  title: () => texts.phone,
  state: async (visit) => (await numberOf(visit)) ?? texts.noPhone,
  done: { add: texts.codeSent, verify: texts.phoneAdded, remove: texts.phoneRemoved },
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
<p class="beside"><a href="${pathTo(visit, phonePage.path)}">${texts.otherNumber}</a></p>`;
}

export const smsPages = defineFeature({
  accountPages: [phonePage],
  errorTexts,
  signInWay,
  pages: [smsCodePage],
});
