import * as z from 'zod';
import type { OAuthProvider } from '../provider.js';

const PUBLIC_URL = 'https://github.com';

const User = z.looseObject({ id: z.int().positive(), login: z.string() });
const Emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: OAuthProvider = {
  protocol: 'oauth',
  url: PUBLIC_URL,
  scope: 'read:user user:email',
  linksByEmail: true,
  server: (url) => ({
    issuer: `${url}/login/oauth`,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
  }),
  async identityOf(url, read) {
    // A GitHub Enterprise Server has its API on a path.
    const api = url === PUBLIC_URL ? 'https://api.github.com' : `${url}/api/v3`;
    const user = User.parse(await read(`${api}/user`));
    // Not the profile's address: its owner can enter any.
    const emails = Emails.parse(await read(`${api}/user/emails`));
    const primary = emails.find((each) => each.primary);
    return {
      // Not the login name, which can be given up and taken by somebody else.
      id: String(user.id),
      email: primary?.email,
      isEmailVerified: primary?.verified,
      name: user.name ?? user.login,
      picture: user.avatar_url,
    };
  },
};
