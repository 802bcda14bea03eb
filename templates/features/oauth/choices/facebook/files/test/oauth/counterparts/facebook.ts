import { startAuthorizationServer } from '../authorization-server.js';

export const startFacebook = () =>
  startAuthorizationServer({
    name: 'facebook',
    authorizePath: '/v23.0/dialog/oauth',
    tokenPath: '/v23.0/oauth/access_token',
    resources: {
      // An address that was not confirmed, or that the person does not share, is left out.
      '/v23.0/me': (person) =>
        person && {
          id: person.id,
          name: person.name,
          email: person.email,
          picture: { data: { url: `https://platform-lookaside.fbsbx.com/${person.id}` } },
        },
    },
  });
