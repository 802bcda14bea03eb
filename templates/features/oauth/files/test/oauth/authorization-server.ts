import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { randomToken } from '../../src/process/random.js';
import type { TestEnvironment } from '../service.js';

export const CLIENT_ID = 'auth-service';
export const CLIENT_SECRET = 'secret of the auth service';

/** Who is signed in at a provider, and what it says of them. */
export interface Person {
  /** Digits, since some providers have no other ids. */
  id: string;
  email?: string;
  isEmailVerified?: boolean;
  name?: string;
}

/** A provider for tests, on this machine. */
export type Counterpart = Awaited<ReturnType<typeof startAuthorizationServer>>;
export type StartCounterpart = () => Promise<Counterpart>;

/** The access that a user has granted. */
export interface Grant {
  person: Person;
  nonce: string | null;
  challenge: string | null;
  redirectUri: string | null;
}

export interface AuthorizationServerOptions {
  /** The provider that it stands in for. */
  name: string;
  authorizePath: string;
  tokenPath: string;
  /** True: responses name the server as `iss` (RFC 9207). */
  namesIssuer?: boolean;
  /** The provider's error for a request that breaks the rules of its documentation. */
  refuses?(authorizationRequest: URLSearchParams): string | undefined;
  /** True for the client's secret. Absent: CLIENT_SECRET alone. */
  isSecret?(text: string): boolean;
  /** Further fields of the token endpoint's response. */
  tokensOf?(grant: Grant): object;
  /** Responses at the other paths; `person` is the owner of the access token. */
  resources: Record<string, (person: Person | undefined) => unknown>;
}

const NOBODY: Person = { id: '1', email: 'ada@example.com', isEmailVerified: true, name: 'Ada' };

/**
 * A small authorization server (RFC 6749 with PKCE, RFC 7636) on a free port; ends with the test. It
 * is as strict as real ones: codes work once, verifiers and redirect URIs must match.
 */
export async function startAuthorizationServer(options: AuthorizationServerOptions) {
  const codes = new Map<string, Grant>();
  const accessTokens = new Map<string, Person>();
  const state = {
    /** Who agrees next; a test may replace them. */
    person: NOBODY,
    /** The codes that a client tried to exchange. */
    exchanges: [] as string[],
    /** How long each answer takes, in ms. */
    delay: 0,
    /** True: it closes every connection. */
    isOut: false,
  };

  function authorize(query: URLSearchParams): string {
    const code = randomToken();
    codes.set(code, {
      person: state.person,
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge_method') === 'S256' ? query.get('code_challenge') : null,
      redirectUri: query.get('redirect_uri'),
    });
    return answerTo(query, { code }).href;
  }

  function answerTo(query: URLSearchParams, answer: Record<string, string>): URL {
    const back = new URL(query.get('redirect_uri') ?? '');
    const issuer: Record<string, string> = options.namesIssuer ? { iss: url } : {};
    const state = query.get('state') ?? '';
    back.search = new URLSearchParams({ ...answer, ...issuer, state }).toString();
    return back;
  }

  async function exchange(request: IncomingMessage): Promise<[number, object]> {
    const form = new URLSearchParams(await text(request));
    const code = form.get('code') ?? '';
    state.exchanges.push(code);
    if (!isClient(request, form, options.isSecret)) return [401, { error: 'invalid_client' }];
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '');
    const fits =
      grant?.challenge === challenge.digest('base64url') &&
      grant.redirectUri === form.get('redirect_uri');
    if (!grant || !fits) return [400, { error: 'invalid_grant' }];
    const accessToken = randomToken();
    accessTokens.set(accessToken, grant.person);
    const tokens = options.tokensOf?.(grant) ?? {};
    return [200, { access_token: accessToken, token_type: 'bearer', ...tokens }];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    await wait(state.delay);
    if (state.isOut) {
      response.destroy();
      return;
    }
    if (pathname === options.authorizePath) {
      const refusal = options.refuses?.(searchParams);
      if (refusal) throw new Error(refusal);
      response.writeHead(302, { location: authorize(searchParams) }).end();
      return;
    }
    const bearer = request.headers.authorization?.replace(/^bearer /i, '') ?? '';
    const resource = options.resources[pathname];
    const [status, body] =
      pathname === options.tokenPath
        ? await exchange(request)
        : [resource ? 200 : 404, resource?.(accessTokens.get(bearer)) ?? {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    // At the end of a test the client may be gone before all has been read.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const prefix = `OAUTH_${options.name.toUpperCase()}`;
  /** What the service must be started with. */
  const variables: TestEnvironment = {
    [`${prefix}_CLIENT_ID`]: CLIENT_ID,
    [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
    // Each protocol reads one of them.
    [`${prefix}_ISSUER`]: url,
    [`${prefix}_URL`]: url,
    [`${prefix}_LINK_BY_EMAIL`]: 'on',
  };
  return Object.assign(state, {
    name: options.name,
    variables,
    url,
    /** The person agrees: the URL that the provider sends the browser back to. */
    async agree(authorizationUrl: string): Promise<URL> {
      const response = await fetch(authorizationUrl, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '');
    },
    /** The person, or the provider, refuses. */
    decline(authorizationUrl: string, error: string): URL {
      return answerTo(new URL(authorizationUrl).searchParams, { error });
    },
  });
}

function isClient(
  request: IncomingMessage,
  form: URLSearchParams,
  isSecret = (text: string): boolean => text === CLIENT_SECRET,
): boolean {
  const [id, secret] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  return (
    (id || form.get('client_id')) === CLIENT_ID &&
    isSecret(secret ?? form.get('client_secret') ?? '')
  );
}
