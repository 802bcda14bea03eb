import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { now } from '../../src/process/clock.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Grant,
  type Person,
  startAuthorizationServer,
} from './authorization-server.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangers = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Ways in which an issuer, or somebody who poses as it, may be wrong. */
export interface Faults {
  /** Claims in place of the right ones. */
  claims: Record<string, unknown>;
  /** True: the ID token is signed with a key that is not the issuer's. */
  isForged: boolean;
  /** True: the address is in the user info and not in the ID token. */
  hasUserInfoOnly: boolean;
}

/** An OpenID issuer of our own making in a provider's place, which can be told to be wrong. */
export async function startIssuer(name: string) {
  const faults: Faults = { claims: {}, isForged: false, hasUserInfoOnly: false };
  const server = await startAuthorizationServer({
    authorizePath: '/authorize',
    tokenPath: '/token',
    namesIssuer: true,
    tokensOf: (grant) => ({ id_token: idToken(server.url, grant, faults) }),
    resources: {
      '/.well-known/openid-configuration': () => ({
        issuer: server.url,
        authorization_endpoint: `${server.url}/authorize`,
        token_endpoint: `${server.url}/token`,
        userinfo_endpoint: `${server.url}/userinfo`,
        jwks_uri: `${server.url}/jwks`,
        authorization_response_iss_parameter_supported: true,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'one' }],
      }),
      '/userinfo': (person) => person && { sub: person.id, ...aboutPerson(person) },
    },
  });
  const prefix = `OAUTH_${name.toUpperCase()}`;
  const variables = {
    [`${prefix}_CLIENT_ID`]: CLIENT_ID,
    [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
    [`${prefix}_ISSUER`]: server.url,
  };
  return Object.assign(server, { faults, name, variables });
}

function idToken(issuer: string, grant: Grant, faults: Faults): string {
  const time = Math.floor(now() / 1000);
  const claims = {
    iss: issuer,
    aud: CLIENT_ID,
    sub: grant.person.id,
    iat: time,
    exp: time + 60,
    nonce: grant.nonce,
    ...(faults.hasUserInfoOnly ? {} : aboutPerson(grant.person)),
    ...faults.claims,
  };
  const key: KeyObject = faults.isForged ? strangers.privateKey : keys.privateKey;
  return jwt.sign(claims, key, { algorithm: 'RS256', keyid: 'one' });
}

function aboutPerson({ email, isEmailVerified = false, name }: Person) {
  return { email, email_verified: isEmailVerified, name };
}
