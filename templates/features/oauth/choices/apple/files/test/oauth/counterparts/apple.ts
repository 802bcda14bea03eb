import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Client } from '../../client.js';
import type { TestService } from '../../service.js';
import { CLIENT_ID } from '../authorization-server.js';
import { startIssuer } from '../issuer.js';

const team = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const APPLE_KEY = team.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

export const startApple = () =>
  startIssuer('apple', {
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      userinfo_endpoint: undefined,
    },
    refuses: (query) =>
      /name|email/.test(query.get('scope') ?? '') && query.get('response_mode') !== 'form_post'
        ? 'response_mode must be form_post when name or email scope is requested.'
        : undefined,
    isSecret,
    claimsOf: ({ email, isEmailVerified = false }) => ({
      email,
      // A text in the tokens of some, a boolean in those of others.
      email_verified: String(isEmailVerified),
      nonce_supported: true,
    }),
    variables: {
      OAUTH_APPLE_TEAM_ID: 'TEAM123456',
      OAUTH_APPLE_KEY_ID: 'KEY1234567',
      OAUTH_APPLE_PRIVATE_KEY: APPLE_KEY,
    },
  });

const SIX_MONTHS = 15_777_000;

/** Apple's own rules for a client's secret. */
function isSecret(text: string): boolean {
  const claims = {
    audience: 'https://appleid.apple.com',
    issuer: 'TEAM123456',
    subject: CLIENT_ID,
    complete: true,
  } as const;
  const { header, payload } = jwt.verify(text, team.publicKey, {
    ...claims,
    algorithms: ['ES256'],
  });
  const { exp = 0, iat = 0 } = typeof payload === 'string' ? {} : payload;
  return header.kid === 'KEY1234567' && exp > iat && exp - iat <= SIX_MONTHS;
}

const CALLBACK = '/oauth/apple/callback';

/** As a browser posts Apple's form: from another site, so without its SameSite=Lax cookies. */
export async function postForm(service: TestService, form: Record<string, string>) {
  return fetch(`${service.url}${service.prefix}${CALLBACK}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://appleid.apple.com' },
    body: new URLSearchParams(form),
  });
}

/** Goes on to where the answer to the form leads, which the browser does with its cookies. */
export function goOn(service: TestService, client: Client, response: Response) {
  const { pathname, search } = new URL(response.headers.get('location') ?? '');
  return client.get(pathname.slice(service.prefix.length) + search);
}
