import jwt from 'jsonwebtoken';
import { identityOfClaims, type OpenIdProvider } from '../provider.js';

const AUDIENCE = 'https://appleid.apple.com';

/** https://developer.apple.com/documentation/signinwithapplerestapi */
export const apple: OpenIdProvider = {
  protocol: 'openid',
  url: AUDIENCE,
  scope: 'openid name email',
  linksByEmail: false,
  // Apple requires it wherever a name or an address is requested.
  parameters: { response_mode: 'form_post' },
  /** A token signed with the team's key, valid for six months at most; a new one is made every hour. */
  makeSecret({ OAUTH_APPLE_KEY_ID, OAUTH_APPLE_PRIVATE_KEY, OAUTH_APPLE_TEAM_ID }, clientId) {
    if (!OAUTH_APPLE_KEY_ID || !OAUTH_APPLE_PRIVATE_KEY || !OAUTH_APPLE_TEAM_ID) return undefined;
    return jwt.sign({}, OAUTH_APPLE_PRIVATE_KEY, {
      algorithm: 'ES256',
      keyid: OAUTH_APPLE_KEY_ID,
      issuer: OAUTH_APPLE_TEAM_ID,
      audience: AUDIENCE,
      subject: clientId,
      expiresIn: '1d',
    });
  },
  identityOf(claims, query) {
    // A string in some tokens, a boolean in others.
    const isEmailVerified = String(claims.email_verified) === 'true';
    return { ...identityOfClaims(claims), isEmailVerified, name: query.get('name') };
  },
};
