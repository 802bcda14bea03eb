import * as z from 'zod';
import { identityOfClaims, type OpenIdProvider } from '../provider.js';

/** The tenant of the account, which the issuer names too: openid-client compares the two. */
const Ids = z.object({ tid: z.uuid(), sub: z.string().min(1) });

/**
 * https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 *
 * Without `linksByEmail`: the administrator of any tenant can give an account any address, and nobody verifies it.
 */
export const microsoft: OpenIdProvider = {
  protocol: 'openid',
  url: 'https://login.microsoftonline.com/common/v2.0',
  identityOf(claims) {
    const { tid, sub } = Ids.parse(claims);
    // `sub` is unique within its issuer only (OpenID Connect Core §2), and each tenant is an issuer.
    return { ...identityOfClaims(claims), id: `${tid}.${sub}`, picture: null };
  },
};
