import type { FeatureParts } from '../../../feature.js';
import { type Html, html } from '../../../http/html.js';
import { isReturnPath } from '../../../http/return-path.js';
import { redirect } from '../../../http/route.js';
import { isFrontEnd } from '../../pages/fallback.js';
import { type TextsOf, translator } from '../../pages/language.js';
import { signInWays } from '../../pages/login.js';
import { pathWith, type SignedIn, type Visit } from '../../pages/visit.js';
import { configuredProvider } from '../configured-provider.js';
import type { oauth } from '../feature.js';
import { providers } from '../providers.js';

const t = translator({
  de: {
    'Continue with': 'Weiter mit',
    'No way to sign in is set up yet.': 'Noch ist kein Weg zur Anmeldung eingerichtet.',
    'To link another account, sign in with it. It must have an address that belongs to your account here, such as':
      'Um ein weiteres Konto zu verknüpfen, melden Sie sich damit an. Es muss eine Adresse haben, die auch hier zu Ihrem Konto gehört, etwa',
    'You are now signed in as': 'Sie sind jetzt angemeldet als',
    'The account at the provider was not linked to the account that you came from: it has another address, or was linked to this one before.':
      'Das Konto beim Anbieter wurde nicht mit dem Konto verknüpft, aus dem Sie kamen: Es hat eine andere Adresse oder war schon mit diesem hier verknüpft.',
    OAUTH_NOT_CONFIGURED: 'Dieser Anbieter ist hier nicht eingerichtet.',
    OAUTH_RETURN_PATH_INVALID: 'Die Adresse, zu der es weitergehen sollte, ist ungültig.',
    INVALID_OAUTH_STATE:
      'Diese Anmeldung wurde nicht in diesem Browser begonnen oder wurde schon benutzt. Beginnen Sie noch einmal.',
    OAUTH_ACCOUNT_CONFLICT: 'Es gibt schon ein Konto mit dieser Adresse.',
    OAUTH_EMAIL_MISSING: 'Der Anbieter hat keine E-Mail-Adresse genannt.',
    OAUTH_SIGN_UP_REFUSED: 'Auf diese Weise kann kein Konto angelegt werden.',
    OAUTH_FAILED: 'Die Anmeldung beim Anbieter ist gescheitert. Versuchen Sie es noch einmal.',
  },
} satisfies TextsOf<typeof oauth>);

/** Links, since `form-action` of the policy blocks a form's redirect to a provider. */
function providerLinks({ services }: Visit, returnPath: string): Html | undefined {
  const { config } = services;
  const names = Object.keys(providers).filter((name) => configuredProvider(config, name));
  const links = names.map((name) => {
    const path = pathWith(`${config.AUTH_PREFIX}/oauth/${name}`, { return_path: returnPath });
    return html`<a class="button" href="${path}">${t('Continue with')} ${providers[name]?.title}</a>`;
  });
  return links.length > 0 ? html`${links}` : undefined;
}

/** A provider's account is linked by its address: one with another address would create a new account. */
export function linkWays(visit: SignedIn): Html | undefined {
  const returnPath = pathWith('/account/linked-accounts', { as: visit.caller.user.id });
  const links = providerLinks(visit, returnPath);
  return (
    links &&
    html`<section><p>${t('To link another account, sign in with it. It must have an address that belongs to your account here, such as')} <strong>${visit.caller.user.email}</strong></p>
${links}</section>`
  );
}

/** Who is signed in: after `linkWays`, the sign-in at the provider may have opened, or created, another account. */
export function signedInAs({ query, caller }: SignedIn): Html {
  const { id, email } = caller.user;
  if ((query.get('as') ?? id) === id)
    return html`<p>${t('You are signed in as')} <strong>${email}</strong></p>`;
  return html`<p class="notice bad" role="alert">${t('You are now signed in as')} <strong>${email}</strong>. ${t('The account at the provider was not linked to the account that you came from: it has another address, or was linked to this one before.')}</p>`;
}

export const oauthPages: FeatureParts = {
  texts: t.texts,
  besideSignIn: (visit) => {
    const return_to = visit.query.get('return_to');
    const path = pathWith('/', return_to ? { return_to } : {});
    // Encoded, a long path gets too long.
    const links = providerLinks(visit, isReturnPath(path) ? path : '/');
    const none = signInWays(visit.services).length === 0 && t('No way to sign in is set up yet.');
    return links ? html`<section>${links}</section>` : none && html`<p>${none}</p>`;
  },
  // A refused sign-in keeps where the visitor wanted to go.
  appRedirect({ services: { config } }, path, returnPath) {
    const isRefusal = path !== returnPath && !path.includes('#');
    if (!isRefusal || returnPath === '/' || !isFrontEnd(config)) return undefined;
    const return_to = `${config.AUTH_PREFIX}/ui${returnPath}`;
    return redirect(pathWith(config.APP_URL + path, { return_to }));
  },
};
