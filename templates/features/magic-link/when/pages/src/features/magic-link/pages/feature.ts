import type { FeatureParts } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import { form } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, redirectAfterSignIn, removalNotice, sentNotice } from '../../pages/login.js';
import type { magicLink } from '../feature.js';
import { kinds } from '../routes.js';

const t = translator({
  de: {
    'Email me a sign-in link': 'Link zum Anmelden zuschicken',
    'Sign in with your link': 'Mit Ihrem Link anmelden',
    'If there is an account with this address, an email is on its way. Its link works for 15 minutes.':
      'Falls es ein Konto mit dieser Adresse gibt, ist eine E-Mail unterwegs. Der Link darin gilt 15 Minuten lang.',
    'An email is on its way. Open its link in this browser within 15 minutes.':
      'Eine E-Mail ist unterwegs. Öffnen Sie den Link darin innerhalb von 15 Minuten in diesem Browser.',
    'You are about to sign in as': 'Sie werden in diesem Browser angemeldet als',
    INVALID_MAGIC_LINK: 'Dieser Link ist nicht mehr gültig.',
    TOKEN_MISMATCH: 'Dieser Link gehört nicht zu dieser Anmeldung.',
  },
} satisfies TextsOf<typeof magicLink>);

export const magicLinkPages: FeatureParts = {
  texts: t.texts,
  signInWay: {
    name: 'magic-link',
    label: t('Email me a sign-in link'),
    form: { submits: 'POST /magic-link/send' },
    codePage: '/ui/magic-link',
  },
  pages: {
    // Where the mail leads. A click signs in, so that a scanner signs nobody in. An expired link is reported at once.
    '/ui/magic-link': {
      takesTokenFrom: '/ui/login',
      title: ({ carried, refusal }) =>
        carried?.token || refusal ? t('Sign in with your link') : t('Check your inbox'),
      content: async (visit) => {
        const { services, carried: { token } = {} } = visit;
        if (!token) {
          return html`${sentNotice(visit, t('If there is an account with this address, an email is on its way. Its link works for 15 minutes.'), t('An email is on its way. Open its link in this browser within 15 minutes.'))}
${otherWays(visit)}`;
        }
        const links = kinds.map((kind) => services.oneTimeTokens.find(kind, token));
        const link = (await Promise.all(links)).find(Boolean);
        const user = link && (await services.users.findById(link.userId));
        if (!user) throw refuse('INVALID_MAGIC_LINK');
        return html`<p>${t('You are about to sign in as')} <strong>${user.email}</strong></p>
${await removalNotice(visit, user)}
${form(visit, { name: 'verify', submit: t('Sign in') })}
${otherWays(visit)}`;
      },
      forms: { verify: { submits: 'POST /magic-link/verify', next: redirectAfterSignIn } },
    },
  },
};
