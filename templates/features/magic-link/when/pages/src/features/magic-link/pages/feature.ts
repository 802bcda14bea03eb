import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { otherWays, redirectAfterSignIn, sentNotice } from '../../pages/login.js';
import { type TextsOf, translator } from '../../pages/texts.js';
import type { magicLink } from '../feature.js';

const t = translator({
  de: {
    'Email me a link to sign in': 'Link zum Anmelden zuschicken',
    'Sign in with your link': 'Mit Ihrem Link anmelden',
    'This browser will be signed in.': 'Sie werden in diesem Browser angemeldet.',
    INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.',
  },
} satisfies TextsOf<typeof magicLink>);

export const magicLinkPages: FeatureParts = {
  texts: t.texts,
  signInWay: {
    name: 'magic-link',
    label: t('Email me a link to sign in'),
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
        return html`${visit.carried?.token ? opened : sentNotice(visit, t('If there is an account with this address, an email is on its way.'), t('An email is on its way. Open its link in this browser.'))}
${otherWays(visit)}`;
      },
      forms: { verify: { submits: 'POST /magic-link/verify', next: redirectAfterSignIn } },
    },
  },
};
