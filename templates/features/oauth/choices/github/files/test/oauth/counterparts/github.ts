import { type Person, startAuthorizationServer } from '../authorization-server.js';

/** A server with the paths and responses of a GitHub Enterprise Server. */
export const startGithub = () =>
  startAuthorizationServer({
    name: 'github',
    authorizePath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    resources: {
      '/api/v3/user': (person) =>
        person && {
          id: Number(person.id),
          login: `login-of-${person.id}`,
          name: person.name ?? null,
          avatar_url: `https://avatars.example.com/${person.id}`,
          // The address in the profile proves nothing, and must not be used.
          email: 'shown@example.com',
        },
      '/api/v3/user/emails': (person) => person && emailsOf(person),
    },
  });

function emailsOf({ id, email, isEmailVerified = false }: Person) {
  const other = { email: `other-${id}@example.com`, primary: false, verified: true };
  if (email === undefined) return [other];
  return [other, { email, primary: true, verified: isEmailVerified }];
}
