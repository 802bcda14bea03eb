import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The user signed in at the provider, and the provider's claims about them. */
interface Person {
  id: string;
  email: string;
  isEmailVerified: boolean;
}

/** An OpenID provider on this machine, whose signed-in user consents to everything. */
export interface Provider {
  url: string;
  /** A test may replace them. */
  person: Person;
  close(): void;
}

const CLIENT_ID = 'pages';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startProvider(): Promise<Provider> {
  const nonces = new Map<string, string | null>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', provider.url);
    if (pathname === '/authorize') {
      const code = randomUUID();
      nonces.set(code, searchParams.get('nonce'));
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        code,
        state: searchParams.get('state') ?? '',
      }).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const form = new URLSearchParams(await text(request));
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => configuration(provider.url),
      '/jwks': () => ({
        keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'one' }],
      }),
      '/token': () => ({
        access_token: randomUUID(),
        token_type: 'bearer',
        id_token: idToken(provider, nonces.get(form.get('code') ?? '')),
      }),
    };
    const answer = answers[pathname];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { id: '1', email: 'ada@example.com', isEmailVerified: true },
    close: () => server.close(),
  };
  return provider;
}

/** The variables of a service that knows the provider as Google. */
export function providerVariables({ url }: Provider): Record<string, string> {
  return {
    OAUTH_GOOGLE_ISSUER: url,
    OAUTH_GOOGLE_CLIENT_ID: CLIENT_ID,
    OAUTH_GOOGLE_CLIENT_SECRET: 'secret',
  };
}

function configuration(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function idToken({ url, person }: Provider, nonce: string | null | undefined): string {
  const time = Math.floor(Date.now() / 1000);
  const claims = {
    iss: url,
    aud: CLIENT_ID,
    sub: person.id,
    email: person.email,
    email_verified: person.isEmailVerified,
    iat: time,
    exp: time + 60,
    nonce,
  };
  const parts = [{ alg: 'RS256', kid: 'one' }, claims];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('sha256', Buffer.from(signed.join('.')), privateKey);
  return [...signed, signature.toString('base64url')].join('.');
}
