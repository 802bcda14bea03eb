import { CLIENT_ID, CLIENT_SECRET } from '../authorization-server.js';
import { startIssuer } from '../issuer.js';

/** An issuer that can be told to be wrong. */
export async function startOidc() {
  const issuer = await startIssuer();
  return Object.assign(issuer, {
    name: 'oidc',
    variables: {
      OAUTH_OIDC_CLIENT_ID: CLIENT_ID,
      OAUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_OIDC_ISSUER: issuer.url,
    },
  });
}
