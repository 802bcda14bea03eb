import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import { goOnSignedIn, type SignInWay } from '../../pages/login.js';
import type { Page } from '../../pages/page.js';
import { pagesTexts } from '../../pages/texts.js';
import { pathTo } from '../../pages/visit.js';
import type { magicLink } from '../feature.js';

const texts = defineTexts({
  mailLink: { en: 'Mail me a link to sign in', de: 'Link zum Anmelden zuschicken' },
  sentTitle: { en: 'Check your mailbox', de: 'Sehen Sie in Ihrem Postfach nach' },
  sent: {
    en: 'If there is an account with this address, a mail is on its way. Its link works once, for 15 minutes.',
    de: 'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt einmal und 15 Minuten lang.',
  },
  title: { en: 'Sign in with your link', de: 'Mit Ihrem Link anmelden' },
  text: {
    en: 'You will be signed in on this browser.',
    de: 'Sie werden in diesem Browser angemeldet.',
  },
});

const errorTexts: ErrorTextsOf<typeof magicLink> = {
  de: { INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.' },
};

const signInWay: SignInWay = {
  name: 'magic-link',
  label: texts.mailLink,
  form: { submits: 'POST /magic-link/send' },
  codePage: '/ui/magic-link',
};

/** Where the mail leads. The link signs in by a click on this page, so that a scanner opening it signs nobody in. */
const magicLinkPage: Page = {
  path: '/ui/magic-link',
  takesToken: true,
  title: ({ carried, refusal }) => (carried?.token || refusal ? texts.title : texts.sentTitle),
  content: (visit) => {
    const opened = html`<p>${texts.text}</p>
${form(visit, { name: 'verify', submit: pagesTexts.signIn })}`;
    const sent = html`<p class="notice good" role="status">${texts.sent}</p>`;
    return html`${visit.carried?.token ? opened : !visit.refusal && sent}
<p><a href="${pathTo(visit, '/ui/login')}">${pagesTexts.otherWay}</a></p>`;
  },
  forms: {
    verify: { submits: 'POST /magic-link/verify', usesCarried: true, next: goOnSignedIn },
  },
};

export const magicLinkPages = defineFeature({ errorTexts, signInWay, pages: [magicLinkPage] });
