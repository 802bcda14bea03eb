import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { randomToken } from '../../src/random.js';
import { CLIENT_ID, CLIENT_SECRET } from './authorization-server.js';
import type { Counterpart } from './counterpart.js';

/** The certified implementation of OpenID Connect, oidc-provider, with one client: this service. */
export async function startCertifiedIssuer(): Promise<Counterpart> {
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const counterpart: Counterpart = {
    name: 'oidc',
    variables: {
      OAUTH_OIDC_CLIENT_ID: CLIENT_ID,
      OAUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OAUTH_OIDC_ISSUER: url,
    },
    person: { id: '1', email: 'ada@example.com', isEmailVerified: true, name: 'Ada' },
    exchanges: [],
    delay: 0,
    isOut: false,
    agree,
    decline: (authorizationUrl) => new URL(authorizationUrl),
  };
  const Provider = await loadQuietly();
  listener = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ['http://auth.test/auth/oauth/oidc/callback'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: [randomToken()] },
    jwks: { keys: [signingKey()] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => {
        const { email, isEmailVerified, name } = counterpart.person;
        return { sub: accountId, email, email_verified: isEmailVerified, name };
      },
    }),
    pkce: { required: () => true },
  }).callback();
  return counterpart;

  /** Goes through its pages for developers as a person would: sign in, then agree. */
  async function agree(authorizationUrl: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let location = authorizationUrl;
    let form: URLSearchParams | undefined;
    while (location.startsWith(url)) {
      const response = await fetch(location, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form ? { method: 'POST', body: form } : {}),
      });
      for (const header of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
        cookies.set(name, value);
      }
      const page = await response.text();
      const next = response.headers.get('location');
      form = next ? undefined : formOf(page, counterpart.person.id);
      location = next ? new URL(next, url).href : actionOf(page, url);
    }
    return new URL(location);
  }
}

function formOf(page: string, login: string): URLSearchParams {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
  return new URLSearchParams({ prompt, login });
}

function actionOf(page: string, url: string): string {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error(`There is no form on this page: ${page.slice(0, 500)}`);
  return new URL(action, url).href;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' };
}

/** The part of oidc-provider that is used here; the package has no types of its own. */
interface Package {
  default: new (
    issuer: string,
    configuration: {
      clients: Record<string, unknown>[];
      claims: Record<string, string[]>;
      cookies: { keys: string[] };
      jwks: { keys: object[] };
      findAccount(
        context: unknown,
        id: string,
      ): { accountId: string; claims(): Record<string, unknown> };
      pkce: { required(): boolean };
    },
  ) => { callback(): RequestListener };
}

/** Loaded without its warnings of being a test, which end with the test as all spies do. */
async function loadQuietly() {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
  const name: string = 'oidc-provider';
  const { default: Provider }: Package = await import(name);
  return Provider;
}
