import { startAuthorizationServer } from '../authorization-server.js';

export const startDiscord = () =>
  startAuthorizationServer({
    name: 'discord',
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
