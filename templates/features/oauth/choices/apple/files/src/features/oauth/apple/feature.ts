import { createPrivateKey } from 'node:crypto';
import * as z from 'zod';
import { defineFeature } from '../../../feature.js';
import { post, type Route, redirect } from '../../../http/route.js';
import { secret, text, variable } from '../../../process/environment.js';
import { requireProvider } from '../configured-provider.js';
import { signInFailedPage } from '../feature.js';

/** PEM, as in the `.p8` file; `\n` may stand for its line ends. */
function privateKey() {
  return variable('the EC private key of a .p8 file, in PEM', (pem) => {
    try {
      const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
      return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
    } catch {
      return undefined;
    }
  });
}

const field = z.string().max(4096).optional();

/** `user` is JSON; only sent at a person's first sign-in. */
const Form = z.object({ state: z.string().max(4096), code: field, error: field, user: field });

const User = z.object({
  name: z.object({ firstName: z.string().catch(''), lastName: z.string().catch('') }),
});

export const oauthApple = defineFeature({
  variables: {
    OAUTH_APPLE_TEAM_ID: text().optional(),
    OAUTH_APPLE_KEY_ID: text().optional(),
    OAUTH_APPLE_PRIVATE_KEY: secret(privateKey().optional()),
  },
  routes: (): Route[] => [
    post('/oauth/{provider}/callback', {
      summary: "Accept a provider's response that is sent as a form",
      body: Form,
      form: true,
      // This request carries no cookie: a new CSRF cookie would replace that of a session.
      anyOrigin: true,
      status: 302,
      errors: ['OAUTH_NOT_CONFIGURED'],
      failurePage: signInFailedPage,
      // Browsers send no SameSite=Lax cookie with a form from another site, but they do with the navigation
      // that follows this redirect. So the cookie that the state is bound to need not be SameSite=None.
      handle: async ({ body: { user, ...parameters }, params, services }) => {
        const query = new URLSearchParams(parameters);
        const name = nameOf(user);
        if (name) query.set('name', name);
        const { redirectUri } = requireProvider(services.config, params.provider);
        return redirect(`${redirectUri}?${query}`);
      },
    }),
  ],
});

function nameOf(user: string | undefined): string | undefined {
  try {
    const { firstName, lastName } = User.parse(JSON.parse(user ?? '')).name;
    return `${firstName} ${lastName}`.trim();
  } catch {
    return undefined;
  }
}
