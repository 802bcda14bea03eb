import * as z from 'zod';
import type { OAuthProvider } from '../provider.js';

const PUBLIC_URL = 'https://www.facebook.com';
/** Each version works for two years at least. */
const VERSION = 'v23.0';

const User = z.looseObject({ picture: z.object({ data: z.looseObject({}) }).optional() });

/**
 * https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 *
 * Without `linksByEmail`: Facebook does not say whether an address is verified.
 */
export const facebook: OAuthProvider = {
  protocol: 'oauth',
  url: PUBLIC_URL,
  scope: 'public_profile email',
  server: (url) => ({
    issuer: url,
    authorization_endpoint: `${url}/${VERSION}/dialog/oauth`,
    token_endpoint: `${graphOf(url)}/oauth/access_token`,
  }),
  async identityOf(url, read) {
    const user = User.parse(await read(`${graphOf(url)}/me?fields=id,name,email,picture`));
    return { ...user, picture: user.picture?.data.url };
  },
};

function graphOf(url: string): string {
  return `${url === PUBLIC_URL ? 'https://graph.facebook.com' : url}/${VERSION}`;
}
