import { CLIENT_ID, CLIENT_SECRET } from '../authorization-server.js';
import type { Counterpart } from '../counterpart.js';
import { startIssuer } from '../issuer.js';

/** An issuer in Google's place. */
export async function startGoogle(): Promise<Counterpart> {
  const issuer = await startIssuer();
  return Object.assign(issuer, {
    name: 'google',
    variables: {
      OAUTH_GOOGLE_CLIENT_ID: CLIENT_ID,
      OAUTH_GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_GOOGLE_ISSUER: issuer.url,
    },
  });
}
