import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { vi } from 'vitest';
import { now } from '../../src/process/clock.js';
import type { TestEnvironment } from '../service.js';
import {
  type AuthorizationServerOptions,
  CLIENT_ID,
  type Person,
  startAuthorizationServer,
} from './authorization-server.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strangers = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Faults of an issuer, or of somebody who impersonates it. */
export interface Faults {
  /** Claims that replace the right ones. */
  claims: Record<string, unknown>;
  /** True: the ID token is signed with a key that is not the issuer's. */
  isForged: boolean;
  /** True: the address is in the UserInfo response and not in the ID token. */
  hasUserInfoOnly: boolean;
}

/** The differences of a provider from other issuers. */
interface IssuerOptions extends Pick<AuthorizationServerOptions, 'refuses' | 'isSecret'> {
  /** Its public URL; requests to that host are redirected here. Absent: its own URL on this machine. */
  url?: string;
  /** Values that override those of its discovery document. */
  metadata?: object;
  /** Its claims about a person. Absent: the standard claims. */
  claimsOf?(person: Person): object;
  /** Further variables of the service. */
  variables?: TestEnvironment;
}

/** Starts an OpenID issuer of our own in place of a provider's; `Faults` make it misbehave. */
export async function startIssuer(
  name: string,
  { claimsOf = standardClaims, metadata, url, variables, ...options }: IssuerOptions = {},
) {
  const faults: Faults = { claims: {}, isForged: false, hasUserInfoOnly: false };
  const path = url ? new URL(url).pathname : '';
  const server = await startAuthorizationServer({
    ...options,
    name,
    authorizePath: '/authorize',
    tokenPath: '/token',
    namesIssuer: !metadata,
    tokensOf({ nonce, person }) {
      const time = Math.floor(now() / 1000);
      const claims = {
        ...{ iss: issuer, aud: CLIENT_ID, sub: person.id, iat: time, exp: time + 60, nonce },
        ...(faults.hasUserInfoOnly ? {} : claimsOf(person)),
        ...faults.claims,
      };
      const key = faults.isForged ? strangers.privateKey : keys.privateKey;
      return { id_token: jwt.sign(claims, key, { algorithm: 'RS256', keyid: 'one' }) };
    },
    resources: {
      [`${path}/.well-known/openid-configuration`]: () => ({
        issuer,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        userinfo_endpoint: `${origin}/userinfo`,
        jwks_uri: `${origin}/jwks`,
        authorization_response_iss_parameter_supported: !metadata,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...metadata,
      }),
      '/jwks': () => ({
        keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'one' }],
      }),
      '/userinfo': (person) => person && { sub: person.id, ...claimsOf(person) },
    },
  });
  const issuer = url ?? server.url;
  const { origin } = new URL(issuer);
  if (url) standIn(origin, server.url);
  const known = { [`OAUTH_${name.toUpperCase()}_ISSUER`]: issuer, ...variables };
  Object.assign(server.variables, known);
  return Object.assign(server, { faults });
}

function standardClaims({ email, isEmailVerified = false, name }: Person): object {
  return { email, email_verified: isEmailVerified, name };
}

/** Until the end of the test, requests to `origin` go to `url`. */
function standIn(origin: string, url: string): void {
  const send = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const isTheirs = typeof input === 'string' && input.startsWith(`${origin}/`);
    return send(isTheirs ? input.replace(origin, url) : input, init);
  });
}
