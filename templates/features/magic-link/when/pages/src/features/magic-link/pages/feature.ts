import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { otherWays, redirectAfterSignIn } from '../../pages/login.js';
import { type TextsOf, translator } from '../../pages/texts.js';
import type { magicLink } from '../feature.js';

const t = translator({
  de: {
    'Mail me a link to sign in': 'Link zum Anmelden zuschicken',
    'Check your mailbox': 'Sehen Sie in Ihrem Postfach nach',
    'Sign in with your link': 'Mit Ihrem Link anmelden',
    'This browser will be signed in.': 'Sie werden in diesem Browser angemeldet.',
    INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.',
  },
} satisfies TextsOf<typeof magicLink>);

export const magicLinkPages: FeatureParts = {
  texts: t.texts,
  signInWay: {
    name: 'magic-link',
    label: t('Mail me a link to sign in'),
    form: { submits: 'POST /magic-link/send' },
    codePage: '/ui/magic-link',
  },
  pages: {
    // Where the mail leads. The link signs in by a click on this page, so that a scanner opening it signs nobody in.
    '/ui/magic-link': {
      takesTokenFrom: '/ui/login',
      title: ({ carried, refusal }) =>
        carried?.token || refusal ? t('Sign in with your link') : t('Check your mailbox'),
      content: (visit) => {
        const opened = html`<p>${t('This browser will be signed in.')}</p>
${form(visit, { name: 'verify', submit: t('Sign in') })}`;
        const { token, email } = visit.carried ?? {};
        const sent = html`<p class="notice good" role="status">${email ? t('If there is an account with this address, a mail is on its way.') : t('Open the link of the mail in this browser.')}${email && html` <strong>${email}</strong>`}</p>`;
        return html`${token ? opened : sent}
${otherWays(visit)}`;
      },
      forms: { verify: { submits: 'POST /magic-link/verify', next: redirectAfterSignIn } },
    },
  },
};
