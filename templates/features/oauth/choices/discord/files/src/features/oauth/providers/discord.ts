import * as z from 'zod';
import type { OAuthProvider } from '../provider.js';

const User = z.looseObject({ id: z.string(), username: z.string(), avatar: z.string().nullish() });

/** https://discord.com/developers/docs/topics/oauth2 */
export const discord: OAuthProvider = {
  protocol: 'oauth',
  url: 'https://discord.com',
  scope: 'identify email',
  linksByEmail: false,
  server: (url) => ({
    issuer: url,
    authorization_endpoint: `${url}/oauth2/authorize`,
    token_endpoint: `${url}/api/oauth2/token`,
  }),
  async identityOf(url, read) {
    const user = User.parse(await read(`${url}/api/v10/users/@me`));
    const { id, avatar, email, verified } = user;
    return {
      id,
      email,
      isEmailVerified: verified,
      name: user.global_name ?? user.username,
      picture: avatar ? `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` : null,
    };
  },
};
