import type { OpenIdProvider } from '../provider.js';

/** https://developers.google.com/identity/openid-connect/openid-connect */
export const google: OpenIdProvider = {
  protocol: 'openid',
  url: 'https://accounts.google.com',
  linksByEmail: true,
};
