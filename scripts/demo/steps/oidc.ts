import { UserError } from '../../../src/errors.js';
import { agreeAt, type Issuer, startIssuer } from '../issuer.js';
import type { LayerDemo, Step } from '../step.js';

const CLIENT = { id: 'demo', secret: 'the secret of a demonstration' };

let issuer: Issuer | undefined;

export const startCounterpart: LayerDemo['startCounterpart'] = async (baseUrl) => {
  const redirectUri = `${baseUrl}/auth/oauth/oidc/callback`;
  const started = await startIssuer({ ...CLIENT, redirectUri }, 'grace@example.com');
  issuer = started;
  return {
    variables: {
      OAUTH_OIDC_CLIENT_ID: CLIENT.id,
      OAUTH_OIDC_CLIENT_SECRET: CLIENT.secret,
      OAUTH_OIDC_ISSUER: started.url,
    },
    stop: started.stop,
  };
};

export const steps: Step[] = [
  {
    order: 68,
    title: 'Sign in at an OpenID Connect provider, as somebody new',
    take: async ({ send, signIn, remark }) => {
      await send('POST', '/logout', 200, {});
      const begun = await send('GET', '/oauth/oidc?return_path=/welcome', 302);
      const authorizationUrl = begun.headers.get('location');
      if (!issuer || !authorizationUrl) throw new UserError('There is no issuer to go to.');
      remark('The browser goes to the provider, where Grace signs in and agrees.');
      const back = await agreeAt(issuer.url, authorizationUrl);
      await send('GET', `/oauth/oidc/callback${back.search}`, 302);
      await send('GET', '/me', 200);
      await send('POST', '/logout', 200, {});
      await signIn();
    },
  },
];
