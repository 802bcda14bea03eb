import type { OpenIdProvider } from '../provider.js';

/** Any issuer, found by OpenID Connect Discovery 1.0. */
export const oidc: OpenIdProvider = { protocol: 'openid', linksByEmail: false };
