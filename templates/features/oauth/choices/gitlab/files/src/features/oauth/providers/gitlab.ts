import type { OpenIdProvider } from '../provider.js';

/** https://docs.gitlab.com/integration/openid_connect_provider/ */
export const gitlab: OpenIdProvider = {
  protocol: 'openid',
  url: 'https://gitlab.com',
  linksByEmail: false,
};
