import { startIssuer } from '../issuer.js';

/** As a self-managed GitLab, on an address of its own. */
export const startGitlab = () =>
  startIssuer('gitlab', {
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
    claimsOf: ({ email, id, isEmailVerified, name }) => ({
      name,
      nickname: `login-of-${id}`,
      preferred_username: `login-of-${id}`,
      email,
      email_verified: isEmailVerified,
      profile: `https://gitlab.com/login-of-${id}`,
      picture: `https://gitlab.com/uploads/${id}.png`,
      groups_direct: [],
    }),
  });
