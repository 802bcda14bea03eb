import type { FeatureParts } from '../../../feature.js';
import { refuse } from '../../../http/errors.js';
import { html } from '../../../http/html.js';
import { hasWayIn, isOwnBrowser } from '../../../session/credentials.js';
import type { User } from '../../../users/user.js';
import { form } from '../../pages/form.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { otherWays, redirectAfterSignIn, sentNotice } from '../../pages/login.js';
import type { Visit } from '../../pages/visit.js';
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
    'Your address was not confirmed before. In case someone else created the account, the sign-in methods that were added to it will be removed. You can then add your own.':
      'Ihre Adresse war noch nicht bestätigt. Für den Fall, dass jemand anderes das Konto angelegt hat, werden die Wege zur Anmeldung entfernt, die hinzugefügt wurden. Danach können Sie Ihre eigenen hinzufügen.',
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
${(await removesWaysIn(visit, user)) && html`<p class="notice">${t('Your address was not confirmed before. In case someone else created the account, the sign-in methods that were added to it will be removed. You can then add your own.')}</p>`}
${form(visit, { name: 'verify', submit: t('Sign in') })}
${otherWays(visit)}`;
      },
      forms: { verify: { submits: 'POST /magic-link/verify', next: redirectAfterSignIn } },
    },
  },
};

/** True if this is the first proof of an address whose account has other ways in: see `proveEmail`. */
async function removesWaysIn({ services, request }: Visit, { id, emailProvenAt }: User) {
  if (emailProvenAt !== null) return false;
  return (await hasWayIn(services, id)) && !(await isOwnBrowser(services, request, id));
}
