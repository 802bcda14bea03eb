import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../src/errors.js';

/** One client of an issuer. */
export interface IssuerClient {
  id: string;
  secret: string;
  redirectUri: string;
}

export interface Issuer {
  url: string;
  stop(): void;
}

/** An OpenID Connect provider (oidc-provider, certified) on loopback, at which one person has an account. */
export async function startIssuer(client: IssuerClient, email: string): Promise<Issuer> {
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const Provider = await loadQuietly();
  listener = new Provider(url, {
    clients: [
      { client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['the cookies of a demonstration'] },
    jwks: { keys: [signingKey()] },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email, email_verified: true, name: 'Ada' }),
    }),
    pkce: { required: () => true },
  }).callback();
  return {
    url,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Signs in and agrees on the issuer's pages, as a person would.
 * @returns where the issuer sends the browser then
 * @throws UserError if a page is not as expected
 */
export async function agreeAt(issuer: string, authorizationUrl: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let location = authorizationUrl;
  let form: URLSearchParams | undefined;
  while (location.startsWith(issuer)) {
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
    form = next ? undefined : formOf(page);
    location = next ? new URL(next, issuer).href : actionOf(page, issuer);
  }
  return new URL(location);
}

function formOf(page: string): URLSearchParams {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
  return new URLSearchParams({ prompt, login: '1' });
}

function actionOf(page: string, issuer: string): string {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new UserError(`This page of the issuer has no form: ${page.slice(0, 500)}`);
  return new URL(action, issuer).href;
}

function signingKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' };
}

/** The part of oidc-provider that is used here; the package has no types of its own. */
interface Package {
  default: new (issuer: string, configuration: object) => { callback(): RequestListener };
}

/** Without its warnings of being for development, which it is. */
async function loadQuietly() {
  const { info, warn } = console;
  console.info = () => {};
  console.warn = () => {};
  const name: string = 'oidc-provider';
  const { default: Provider }: Package = await import(name);
  return class extends Provider {
    constructor(issuer: string, configuration: Configuration) {
      super(issuer, configuration);
      Object.assign(console, { info, warn });
    }
  };
}

interface Configuration {
  findAccount(context: unknown, id: string): object;
  pkce: { required(): boolean };
  [name: string]: unknown;
}
