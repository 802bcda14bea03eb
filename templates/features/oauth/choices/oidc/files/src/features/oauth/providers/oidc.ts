import { text } from '../../../process/environment.js';
import { identityOfClaims, type OpenIdProvider, providerUrl } from '../provider.js';

export const oidcVariables = {
  OAUTH_OIDC_CLIENT_ID: text().optional(),
  OAUTH_OIDC_CLIENT_SECRET: text().optional(),
  OAUTH_OIDC_ISSUER: providerUrl().optional(),
};

/** Any issuer, found by OpenID Connect Discovery 1.0. */
export const oidc: OpenIdProvider = {
  protocol: 'openid',
  scope: 'openid email profile',
  urlVariable: 'OAUTH_OIDC_ISSUER',
  client: (config) => ({
    clientId: config.OAUTH_OIDC_CLIENT_ID,
    clientSecret: config.OAUTH_OIDC_CLIENT_SECRET,
  }),
  issuer: (config) => config.OAUTH_OIDC_ISSUER,
  identityOf: identityOfClaims,
};
