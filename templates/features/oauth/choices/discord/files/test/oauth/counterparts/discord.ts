import { CLIENT_ID, CLIENT_SECRET, startAuthorizationServer } from '../authorization-server.js';

export async function startDiscord() {
  const server = await startAuthorizationServer({
    authorizePath: '/oauth2/authorize',
    tokenPath: '/api/oauth2/token',
    resources: {
      '/api/v10/users/@me': (person) =>
        person && {
          id: person.id,
          username: `login-of-${person.id}`,
          discriminator: '0',
          global_name: person.name ?? null,
          avatar: 'a_8342729096ea3675442027381ff50dfe',
          // Without the scope `email`, or for an account without one, there is none.
          ...(person.email ? { email: person.email, verified: person.isEmailVerified } : {}),
        },
    },
  });
  return Object.assign(server, {
    name: 'discord',
    variables: {
      OAUTH_DISCORD_CLIENT_ID: CLIENT_ID,
      OAUTH_DISCORD_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_DISCORD_URL: server.url,
      OAUTH_DISCORD_LINK_BY_EMAIL: 'on',
    },
  });
}
