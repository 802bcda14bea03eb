import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAuthClient, tokensInMemory } from '../client/auth-client.js';
import { endSessionsOfUser } from '../src/session/end-session.js';
import { browser, nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { type SignedIn, signInAs, signInBrowserAs, someRequest } from './sign-in-as.js';

// Runs the code of `docs/frontend.md` as it is.
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/frontend.md'), 'utf8');

/** The code block of the page that contains `name`, as a module. */
async function snippet(name: string) {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const code = blocks.find((each) => each.includes(name)) ?? '';
  const found = code.replace("'jsonwebtoken'", JSON.stringify(import.meta.resolve('jsonwebtoken')));
  return import(
    `data:text/javascript,${encodeURIComponent(transformSync(found, { loader: 'ts' }).code)}`
  );
}

test('another backend asks /me with what its caller sent', async () => {
  const service = await startTestService();
  const { client, user } = await signInBrowserAs(service);
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
  const asked = await nativeClient(service).get('/me', { cookie });
  expect([asked.status, asked.body.sub]).toEqual([200, user.id]);
  expect((await browser(service).get('/me')).status).toBe(401);
});

test('another backend verifies access tokens, and no other kind, itself', async () => {
  const service = await startTestService();
  const { accessToken, refreshToken, user } = await signInAs(service);
  const { verifyAccessToken } = await snippet('verifyAccessToken');
  const { ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET, BASE_URL } = service.environment;
  expect(verifyAccessToken(accessToken, ACCESS_TOKEN_SECRET, BASE_URL).sub).toBe(user.id);
  for (const secret of [ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET]) {
    expect(() => verifyAccessToken(refreshToken, secret, BASE_URL)).toThrow();
  }
});

/** The code of the service, without tests. */
function sourceOf(isWanted: (folder: string) => boolean = () => true): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(({ name, parentPath }) => /(?<!\.test)\.ts$/.test(name) && isWanted(parentPath))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
}

test('the page names every cookie', () => {
  const source = sourceOf().join('\n');
  const named = [
    ...source.matchAll(/sessionCookie\([\w.]+, '([\w-]+)'/g),
    ...source.matchAll(/'__Host-([\w-]+)'/g),
    ...[...source.matchAll(/pageCookie\(([A-Z]+),/g)].flatMap(([, constant]) => [
      ...source.matchAll(new RegExp(`const ${constant} = '(\\w+)';`, 'g')),
    ]),
  ];
  const names = new Set(named.map(([, name = '']) => name));
  expect(names).toContain('newcomer');
  expect(names).toContain('draft');
  for (const name of names) expect(page).toContain(`\n| \`${name}\` |`);
});

test('the page names every page below APP_URL that the service leads to', () => {
  // Links to the service's own pages are no pages of a front end.
  const source = sourceOf((folder) => !/\/(?:pages|admin-panel)$/.test(folder));
  const paths = source.flatMap((text) => [
    ...text.matchAll(/APP_URL\}(\/[\w-]+)/g),
    ...text.matchAll(/`(\/[\w-]+)[?#][\w-]+=\$\{/g),
    ...text.matchAll(/toApp\(config, `(\/[\w-]+)/g),
  ]);
  const known = new Set(paths.map(([, path = '']) => path));
  expect(known).toContain('/reset-password');
  expect(known).toContain('/2fa');
  for (const path of known) expect(page).toContain(`* \`${path}`);
});

test('the client sends the newest CSRF cookie, whatever a former configuration has left behind', async () => {
  vi.stubGlobal('document', { cookie: '__Host-csrf-token=stale; __Secure-csrf-token=fresh' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const sent: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push(new Headers(init?.headers).get('x-csrf-token'));
    return Response.json({ success: true });
  };
  const auth = createAuthClient<{ 'POST /logout': { reply: object } }>({ url: 'http://a', fetch });

  await auth.call('POST /logout');

  expect(sent).toEqual(['fresh']);
});

test('the client finds the valid CSRF cookie where a former configuration has left one after it', async () => {
  vi.stubGlobal('document', { cookie: '__Host-csrf-token=valid; __Secure-csrf-token=stale' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const sent: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const token = new Headers(init?.headers).get('x-csrf-token');
    sent.push(token);
    if (token === 'valid') return Response.json({ success: true });
    return Response.json({ code: 'CSRF_INVALID' }, { status: 403 });
  };
  const auth = createAuthClient<{ 'POST /logout': { reply: object } }>({ url: 'http://a', fetch });

  await auth.call('POST /logout');
  await auth.call('POST /logout');

  expect(sent).toEqual(['stale', 'valid', 'valid']);
});

test('the client sends a query where URLSearchParams has neither `set` nor `size`, as in React Native', async () => {
  class OldSearchParams {
    readonly #pairs: string[] = [];

    append(key: string, value: string): void {
      this.#pairs.push(`${key}=${value}`);
    }

    toString(): string {
      return this.#pairs.join('&');
    }
  }
  vi.stubGlobal('URLSearchParams', OldSearchParams);
  onTestFinished(() => void vi.unstubAllGlobals());
  const asked: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(url);
    return Response.json({});
  };
  type Api = { 'GET /list': { query?: { limit?: number; filter?: string }; reply: object } };
  const auth = createAuthClient<Api>({ url: 'http://a', fetch });

  await auth.call('GET /list');
  await auth.call('GET /list', { query: { limit: 5, filter: undefined } });

  expect(asked).toEqual(['http://a/list', 'http://a/list?limit=5']);
});

interface Api {
  'GET /me': { reply: { sub: string } };
  'GET /sessions': { reply: object };
}

/** A client with the tokens of this user. What follows a response from `path` happens before the client gets it. */
async function clientWith(service: TestService, { accessToken, refreshToken }: SignedIn) {
  const tokens = tokensInMemory();
  await tokens.write({ accessToken, refreshToken });
  const onSignedOut = vi.fn();
  const late: { path?: string; meanwhile?: () => unknown } = {};
  const url = `${service.url}${service.prefix}`;
  const auth = createAuthClient<Api>({
    ...{ url, tokens, onSignedOut },
    async fetch(...asked) {
      const response = await fetch(...asked);
      if (String(asked[0]) === `${url}${late.path}`) await late.meanwhile?.();
      return response;
    },
  });
  return { auth, late, onSignedOut, tokens };
}

test.each(['sign-in', 'sign-out'])(
  'race: a refresh that finishes after a %s brings no earlier user back',
  async (what) => {
    const service = await startTestService();
    const client = await clientWith(service, await signInAs(service));
    const { auth, late, onSignedOut, tokens } = client;
    service.advance(16 * 60_000);
    const { accessToken, refreshToken, user } = await signInAs(service);
    const next = what === 'sign-in' ? { accessToken, refreshToken } : undefined;
    Object.assign(late, { path: '/refresh', meanwhile: () => tokens.write(next) });

    const shown = await auth.call('GET /me').catch(({ code }) => code);

    expect(next ? shown.sub : shown).toBe(next ? user.id : 'INVALID_TOKEN');
    expect(await tokens.read()).toEqual(next);
    expect(onSignedOut).not.toHaveBeenCalled();
  },
);

test('race: a late refusal of an ended session ends no later one: tokens', async () => {
  const service = await startTestService();
  const former = await signInAs(service);
  const { auth, late, onSignedOut, tokens } = await clientWith(service, former);
  await auth.call('GET /me');
  await endSessionsOfUser(service.services, { request: someRequest() }, former.user.id, 'revoked');
  const { accessToken, refreshToken, user } = await signInAs(service);
  const meanwhile = () => tokens.write({ accessToken, refreshToken });
  Object.assign(late, { path: '/sessions', meanwhile });

  const refused = auth.call('GET /sessions');
  await expect(refused).rejects.toMatchObject({ code: 'SESSION_REVOKED' });

  expect(onSignedOut).not.toHaveBeenCalled();
  expect((await auth.call('GET /me')).sub).toBe(user.id);
});

test('race: a late refusal of an ended session ends no later one: cookies', async () => {
  const service = await startTestService();
  const { client, user: former } = await signInBrowserAs(service);
  const cookie = () => [...client.cookies].map((pair) => pair.join('=')).join('; ');
  vi.stubGlobal('document', {
    get cookie() {
      return cookie();
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const next = await signInAs(service);
  const onSignedOut = vi.fn();
  const auth = createAuthClient<Api>({
    url: '',
    onSignedOut,
    async fetch(path, { method = '' } = {}) {
      const { status, body } = await client.send(method, String(path));
      const { refreshToken } = next;
      if (path === '/sessions') await client.post('/refresh', { refreshToken });
      return Response.json(body, { status });
    },
  });
  await auth.call('GET /me');
  await endSessionsOfUser(service.services, { request: someRequest() }, former.id, 'revoked');

  const refused = auth.call('GET /sessions');
  await expect(refused).rejects.toMatchObject({ code: 'SESSION_REVOKED' });

  expect(onSignedOut).not.toHaveBeenCalled();
  expect((await auth.call('GET /me')).sub).toBe(next.user.id);
});

test.each([
  ['120', 120],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
])('Retry-After: %s', async (wait, seconds) => {
  const headers = { 'retry-after': wait };
  const fetch = async () => new Response('', { status: 503, headers });
  const refused = createAuthClient<Api>({ url: 'http://a', fetch }).call('GET /me');
  await expect(refused).rejects.toMatchObject({ status: 503, retryAfter: seconds });
});
