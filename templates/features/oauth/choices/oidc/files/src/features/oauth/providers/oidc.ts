import { text } from '../../../environment/parsers.js';
import type { OpenIdProvider } from '../provider.js';
import { providerUrl } from '../provider-url.js';

export const oidcVariables = {
  OAUTH_OIDC_CLIENT_ID: text().optional(),
  OAUTH_OIDC_CLIENT_SECRET: text().optional(),
  OAUTH_OIDC_ISSUER: providerUrl().optional(),
};

/** Any issuer by OpenID Connect Discovery 1.0; the claims are those of OpenID Connect Core 1.0 §5.1. */
export const oidc: OpenIdProvider = {
  protocol: 'openid',
  scope: 'openid email profile',
  urlVariable: 'OAUTH_OIDC_ISSUER',
  client: (config) => ({
    clientId: config.OAUTH_OIDC_CLIENT_ID,
    clientSecret: config.OAUTH_OIDC_CLIENT_SECRET,
  }),
  issuer: (config) => config.OAUTH_OIDC_ISSUER,
  identityOf: ({ sub, email, email_verified, name, picture }) => ({
    id: sub,
    email,
    isEmailVerified: email_verified,
    name,
    picture,
  }),
};
