import { expect, onTestFinished, test, vi } from 'vitest';
import { openApiDocument } from '../src/http/openapi.js';
import { mountsOf } from '../src/http/route.js';
import { endSessionsOfUser } from '../src/session/end-session.js';
import { startTestService, type TestService } from '../test/service.js';
import { signInBrowserAs, someRequest, startSignedIn } from '../test/sign-in-as.js';
import { apiTypes } from './api-types.js';
import { AuthError, createAuthClient, tokensInMemory } from './auth-client.js';

interface Api {
  'GET /me': { reply: { sub: string; metadata: { name?: string } } };
  'GET /sessions': { reply: { sessions: { handle: string }[] } };
  'DELETE /sessions/{handle}': { params: { handle: string }; reply: { success: true } };
  'PATCH /profile': { body: { name?: string | number }; reply: { success: true } };
  'POST /logout': { reply: { success: true } };
}

const MINUTE = 60_000;

/** The `fetch` and `document` of a browser with these cookies, and the paths that it requested. */
function browserWith(cookies: Map<string, string>) {
  const asked: string[] = [];
  const cookieHeader = () => [...cookies].map((pair) => pair.join('=')).join('; ');
  vi.stubGlobal('document', {
    get cookie() {
      return cookieHeader();
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  async function fetchWithCookies(url: string | URL | Request, init: RequestInit = {}) {
    asked.push(new URL(String(url)).pathname);
    const headers = { ...init.headers, cookie: cookieHeader(), origin: 'http://app.test' };
    const response = await fetch(url, { ...init, headers });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    return response;
  }
  return { asked, fetch: fetchWithCookies };
}

/** A tab of a browser that has signed in. */
async function openTab(service: TestService) {
  const { client, user } = await signInBrowserAs(service);
  const { asked, fetch } = browserWith(client.cookies);
  const onSignedOut = vi.fn();
  const tab = () =>
    createAuthClient<Api>({ url: `${service.url}${service.prefix}`, fetch, onSignedOut });
  return { auth: tab(), anotherTab: tab, asked, cookies: client.cookies, onSignedOut, user };
}

test('parallel requests that fail share one refresh', async () => {
  const service = await startTestService();
  const { auth, asked, user } = await openTab(service);
  service.advance(16 * MINUTE);
  const [me] = await Promise.all([
    auth.call('GET /me'),
    auth.call('GET /me'),
    auth.call('GET /sessions'),
  ]);
  expect(me.sub).toBe(user.id);
  expect(asked.filter((path) => path.endsWith('/refresh'))).toHaveLength(1);
});

test('race: tabs of one browser share one refresh', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  let last: Promise<unknown> = Promise.resolve();
  const request = <T>(_name: string, work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  vi.stubGlobal('navigator', { locks: { request } });
  const service = await startTestService();
  const { auth, anotherTab, asked } = await openTab(service);
  service.advance(16 * MINUTE);
  await Promise.all([auth.call('GET /me'), anotherTab().call('GET /me')]);
  expect(asked.filter((path) => path.endsWith('/refresh'))).toHaveLength(1);
});

test.each<[string, () => unknown]>([
  ['without methods, as in Node.js', () => ({})],
  ['forbidden', () => failBy('SecurityError')],
  ['full', () => ({ getItem: () => null, setItem: () => failBy('QuotaExceededError') })],
])('a refresh succeeds where localStorage is %s', async (_state, get) => {
  const service = await startTestService();
  const { auth, asked, user } = await openTab(service);
  vi.stubGlobal('localStorage', undefined);
  Object.defineProperty(globalThis, 'localStorage', { get });
  service.advance(16 * MINUTE);
  expect((await auth.call('GET /me')).sub).toBe(user.id);
  expect(asked).toEqual(['/auth/me', '/auth/refresh', '/auth/me']);
});

function failBy(name: string): never {
  throw new DOMException('Refused by the browser.', name);
}

test('the CSRF token is repeated, and a wrong one replaced', async () => {
  const service = await startTestService();
  const { auth, cookies } = await openTab(service);
  await auth.call('PATCH /profile', { body: { name: 'Ada' } });
  cookies.set('csrf-token', 'of nobody');
  await auth.call('PATCH /profile', { body: { name: 'Bea' } });
  expect((await auth.call('GET /me')).metadata.name).toBe('Bea');
});

test('attack: a CSRF cookie of a sibling domain, which cannot have the prefix, disables no page', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.test' });
  const { auth, cookies } = await openTab(service);
  cookies.set('csrf-token', 'planted');
  await auth.call('PATCH /profile', { body: { name: 'Ada' } });
  expect((await auth.call('GET /me')).metadata.name).toBe('Ada');
});

test('a refusal has its code and the wrong fields', async () => {
  const { auth } = await openTab(await startTestService());
  const refused = await auth.call('PATCH /profile', { body: { name: 1 } }).catch((error) => error);
  expect(refused).toBeInstanceOf(AuthError);
  expect(refused).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  expect(refused.details).toMatchObject([{ path: 'name' }]);
  for (const handle of ['', '.', '..']) {
    const elsewhere = auth.call('DELETE /sessions/{handle}', { params: { handle } });
    await expect(elsewhere).rejects.toThrow('handle');
  }
  const params = { handle: '../../me?' };
  const unknown = await auth.call('DELETE /sessions/{handle}', { params }).catch((error) => error);
  expect(unknown.code).toBe('SESSION_NOT_FOUND');
});

/** A client that gets the same response to each call. */
function clientThatGets(body: string, status: number, type: string) {
  const headers = { 'content-type': type };
  const fetch = async () => new Response(body, { status, headers });
  return createAuthClient<Api>({ url: 'http://auth.test/auth', fetch });
}

test.each([
  ['<h1>Bad gateway</h1>', 'text/html'],
  ['', 'application/json'],
  ['{"error":', 'application/json'],
  ['null', 'application/json'],
])("a proxy's error page is an AuthError too: %s", async (body, type) => {
  const error = await clientThatGets(body, 502, type)
    .call('GET /me')
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(AuthError);
  expect(error).toMatchObject({ status: 502, code: '', message: 'HTTP status 502' });
});

test('a success may be null, but no broken JSON', async () => {
  const type = 'application/json';
  expect(await clientThatGets('null', 200, type).call('GET /me')).toBeNull();
  await expect(clientThatGets('{"sub":', 200, type).call('GET /me')).rejects.toThrow(SyntaxError);
});

test('an ended session asks for a new sign-in and is not refreshed', async () => {
  const service = await startTestService();
  const { auth, asked, onSignedOut, user } = await openTab(service);
  await auth.call('GET /me');
  await endSessionsOfUser(service.services, { request: someRequest() }, user.id, 'revoked');
  const refused = await auth.call('GET /me').catch((error) => error);
  expect([refused.status, refused.code]).toEqual([401, 'SESSION_REVOKED']);
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(asked).toEqual(['/auth/me', '/auth/me']);
});

test('a page that nobody has signed in to is not signed out: its sign-in page would reload for ever', async () => {
  const service = await startTestService();
  const { auth, cookies, onSignedOut, user } = await openTab(service);
  await endSessionsOfUser(service.services, { request: someRequest() }, user.id, 'revoked');
  for (const code of ['SESSION_REVOKED', 'INVALID_TOKEN']) {
    await expect(auth.call('GET /me')).rejects.toMatchObject({ code });
    cookies.clear();
  }
  expect(onSignedOut).not.toHaveBeenCalled();
});

test('tokens used instead of cookies are kept, replaced by a refresh, and dropped at sign-out', async () => {
  const { service, accessToken, refreshToken, user } = await startSignedIn();
  const tokens = tokensInMemory();
  await tokens.write({ accessToken, refreshToken });
  const onSignedOut = vi.fn();
  const url = `${service.url}${service.prefix}`;
  const auth = createAuthClient<Api>({ url, tokens, onSignedOut });
  service.advance(16 * MINUTE);
  expect((await auth.call('GET /me')).sub).toBe(user.id);
  expect((await tokens.read())?.refreshToken).not.toBe(refreshToken);
  await auth.call('POST /logout');
  expect(await tokens.read()).toBeUndefined();
  // The sign-in page that follows may ask, too.
  await expect(auth.call('GET /me')).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  expect(onSignedOut).not.toHaveBeenCalled();
});

test('a token that cannot be refreshed, as for a set-up, is refused as what it is', async () => {
  const service = await startTestService();
  const tokens = { read: () => ({ accessToken: 'expired', refreshToken: '' }), write() {} };
  const auth = createAuthClient<Api>({ url: `${service.url}${service.prefix}`, tokens });
  const refused = auth.call('GET /me');
  await expect(refused).rejects.toMatchObject({ status: 401, code: 'INVALID_TOKEN' });
});

test('the types name each route that answers with JSON, and every code', async () => {
  const { services } = await startTestService();
  const [mount] = mountsOf(services).filter(({ prefix }) => prefix === '/auth');
  const types = mount ? apiTypes(openApiDocument(services, mount)) : '';
  expect(types).toContain(`'GET /me': { reply: { "sub": string;`);
  expect(types).toContain(`'DELETE /sessions/{handle}': { params: { "handle": string }; reply:`);
  for (const code of Object.keys(services.errors)) expect(types).toContain(`"${code}"`);
});
