import type { Config, ConfigCheck } from '../../config.js';
import { defineFeature, event } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { html } from '../../http/html.js';
import { type Call, get, type Result, type Route } from '../../http/route.js';
import type { LoginCheck } from '../../session/finish-login.js';
import {
  configuredProvider,
  isInUse,
  providerVariables,
  requireHttps,
} from './configured-provider.js';
import { providers } from './providers.js';
import { beginSignIn, finishSignIn, METHOD } from './sign-in.js';
import { LIFETIME_SECONDS } from './state.js';

/** A page that loads nothing, runs nothing and cannot be framed. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The page for a browser that reloads the callback, or comes back too late. */
export function signInFailedPage({ APP_URL, SERVICE_NAME }: Config, code: string, message: string) {
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign-in failed · ${SERVICE_NAME}</title>
<h1>Sign-in failed</h1>
<p>${message}</p>
<p><a href="${APP_URL}/login?error=${code}">Back to the sign-in page</a></p>
`;
  return { text: page.text(), headers: PAGE_HEADERS };
}

/**
 * A navigation that a provider starts carries no `strict` cookies, not even after a redirect: the new session would not
 * be seen, and the one that it replaces would not end. A navigation from a page of ours carries them.
 */
function comeFromHere({ query, request, services }: Call): Result | undefined {
  const isHere = services.config.COOKIE_SAMESITE !== 'strict' || query.has('here');
  if (isHere || !request.prefersHtml) return undefined;
  const page = html`<!doctype html>
<meta http-equiv="refresh" content="0;url=?${request.search}&here">
`;
  return { status: 200, text: page.text(), headers: PAGE_HEADERS };
}

const configWarning: ConfigCheck = (config) =>
  Object.keys(providers).flatMap((name) => {
    const id = `OAUTH_${name.toUpperCase()}_CLIENT_ID` as const;
    // Safe: warnings are about a configuration that is complete.
    const isOff = config[id] && !configuredProvider(config as Config, name);
    return isOff ? `${id} is set, but ${name} is off: its other variables are incomplete` : [];
  });

/** A provider may have been switched off since it vouched for the first step of a sign-in. */
const loginCheck: LoginCheck = {
  refuses: ['OAUTH_NOT_CONFIGURED'],
  async check({ config }, _account, { provider }) {
    if (provider && !isInUse(config, provider)) throw refuse('OAUTH_NOT_CONFIGURED');
    return undefined;
  },
};

export const oauth = defineFeature({
  loginCheck,
  variables: providerVariables,
  configCheck: requireHttps,
  configWarning,
  /** After a valid state these become redirects to APP_URL/login?error=<code>. */
  errors: {
    OAUTH_NOT_CONFIGURED: [404, 'This provider is not configured here.'],
    OAUTH_RETURN_PATH_INVALID: [400, 'The return_path must be a path of the app.'],
    INVALID_OAUTH_STATE: [
      400,
      'This sign-in was not started in this browser, or was already used. Start again.',
    ],
    OAUTH_ACCOUNT_CONFLICT: [409, 'There is already an account with this address.'],
    OAUTH_EMAIL_MISSING: [400, 'The provider returned no email address.'],
    OAUTH_SIGN_UP_REFUSED: [400, 'No account can be created this way.'],
    OAUTH_FAILED: [400, 'The sign-in at the provider failed. Try again.'],
  },
  limits: {
    /** Each request begins a sign-in: a state to sign, and in the end requests to the provider. */
    oauthPerIp: { points: 60, seconds: 60, scope: 'process' },
    /** A refused one is an event, which each webhook that takes all events would get. */
    callbacksPerIp: { points: 60, seconds: 60, scope: 'process' },
    /** A state is good for one callback; the count outlives the state. */
    usesOfState: { points: 1, seconds: LIFETIME_SECONDS, scope: 'strict', isAlwaysOn: true },
  },
  events: {
    /** The provider's response is valid and the account is known; login checks follow. */
    'identity.auth.oauth.success': event<{ provider: string }>(),
    'identity.auth.oauth.conflict': event<{ provider: string; email: string }>(),
  },
  uiFeatures: (config: Config) =>
    Object.fromEntries(
      Object.keys(providers).map((name) => [name, configuredProvider(config, name) !== undefined]),
    ),
  routes: (): Route[] => [
    get('/oauth/{provider}', {
      summary: 'Redirect to a provider to sign in there',
      queryFields: ['return_path'],
      status: 302,
      consumes: true,
      errors: ['OAUTH_NOT_CONFIGURED', 'OAUTH_RETURN_PATH_INVALID'],
      limits: ({ request }) => [['oauthPerIp', request.ip]],
      failurePage: signInFailedPage,
      handle: beginSignIn,
    }),

    get('/oauth/{provider}/callback', {
      summary: 'Finish a sign-in at a provider',
      queryFields: ['state', 'code', 'error'],
      status: 302,
      consumes: true,
      errors: [
        'OAUTH_NOT_CONFIGURED',
        'INVALID_OAUTH_STATE',
        'OAUTH_ACCOUNT_CONFLICT',
        'OAUTH_EMAIL_MISSING',
        'OAUTH_SIGN_UP_REFUSED',
        'OAUTH_FAILED',
      ],
      signsIn: METHOD,
      limits: ({ request }) => [['callbacksPerIp', request.ip]],
      failurePage: signInFailedPage,
      handle: async (call) => comeFromHere(call) ?? finishSignIn(call),
    }),
  ],
});
