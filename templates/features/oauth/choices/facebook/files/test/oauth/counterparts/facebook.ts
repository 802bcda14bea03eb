import { CLIENT_ID, CLIENT_SECRET, startAuthorizationServer } from '../authorization-server.js';

export async function startFacebook() {
  const server = await startAuthorizationServer({
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
  return Object.assign(server, {
    name: 'facebook',
    variables: {
      OAUTH_FACEBOOK_CLIENT_ID: CLIENT_ID,
      OAUTH_FACEBOOK_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_FACEBOOK_URL: server.url,
    },
  });
}
