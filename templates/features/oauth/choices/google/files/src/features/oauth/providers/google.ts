import { text } from '../../../process/environment.js';
import { identityOfClaims, type OpenIdProvider, providerUrl } from '../provider.js';

export const googleVariables = {
  OAUTH_GOOGLE_CLIENT_ID: text().optional(),
  OAUTH_GOOGLE_CLIENT_SECRET: text().optional(),
  OAUTH_GOOGLE_ISSUER: providerUrl().prefault('https://accounts.google.com'),
};

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google: OpenIdProvider = {
  protocol: 'openid',
  scope: 'openid email profile',
  urlVariable: 'OAUTH_GOOGLE_ISSUER',
  client: (config) => ({
    clientId: config.OAUTH_GOOGLE_CLIENT_ID,
    clientSecret: config.OAUTH_GOOGLE_CLIENT_SECRET,
  }),
  issuer: (config) => config.OAUTH_GOOGLE_ISSUER,
  identityOf: identityOfClaims,
};
