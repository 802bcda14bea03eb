import { z } from 'zod';
import type { Config } from '../../../config.js';
import { text } from '../../../process/environment.js';
import { type OAuthProvider, providerUrl } from '../provider.js';

const PUBLIC_URL = 'https://github.com';

export const githubVariables = {
  OAUTH_GITHUB_CLIENT_ID: text().optional(),
  OAUTH_GITHUB_CLIENT_SECRET: text().optional(),
  OAUTH_GITHUB_URL: providerUrl().prefault(PUBLIC_URL),
};

const User = z.object({
  id: z.int(),
  login: z.string(),
  name: z.unknown().optional(),
  avatar_url: z.unknown().optional(),
});
const Emails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export const github: OAuthProvider = {
  protocol: 'oauth',
  scope: 'read:user user:email',
  urlVariable: 'OAUTH_GITHUB_URL',
  client: (config) => ({
    clientId: config.OAUTH_GITHUB_CLIENT_ID,
    clientSecret: config.OAUTH_GITHUB_CLIENT_SECRET,
  }),
  server: (config) => {
    const issuer = `${urlOf(config)}/login/oauth`;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/access_token`,
    };
  },
  async identityOf(config, read) {
    const user = User.parse(await read(`${apiOf(config)}/user`));
    // Not the profile's address: its owner can show any.
    const emails = Emails.parse(await read(`${apiOf(config)}/user/emails`));
    const primary = emails.find((each) => each.primary);
    return {
      // Not the login name, which can be given up and taken by somebody else.
      id: String(user.id),
      email: primary?.email ?? null,
      isEmailVerified: primary?.verified ?? false,
      name: user.name ?? user.login,
      picture: user.avatar_url,
    };
  },
};

/** GitHub's API is on its own host, that of a GitHub Enterprise Server on a path. */
function apiOf(config: Config): string {
  const url = urlOf(config);
  return url === PUBLIC_URL ? 'https://api.github.com' : `${url}/api/v3`;
}

function urlOf(config: Config): string {
  return config.OAUTH_GITHUB_URL.replace(/\/+$/, '');
}
