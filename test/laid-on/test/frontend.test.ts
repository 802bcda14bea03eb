import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';
import { endSessionsOfUser } from '../src/session/end-session.js';
import { browser, nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, signInBrowserAs, someRequest } from './sign-in-as.js';

// What `docs/frontend.md` says is tried as it stands there.
const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/frontend.md'), 'utf8');
const MINUTE = 60_000;

/** The code of the page that has `name`, as a module. */
async function snippet(name: string, url = '') {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
  const code = blocks.find((each) => each.includes(name)) ?? '';
  const found = code
    .replace('http://localhost:3000', url)
    .replace("'jsonwebtoken'", JSON.stringify(import.meta.resolve('jsonwebtoken')));
  return import(
    `data:text/javascript,${encodeURIComponent(transformSync(found, { loader: 'ts' }).code)}`
  );
}

/** A page in a browser that has signed in: `document.cookie` and `fetch` are those of `client`. */
async function openPage(service: TestService) {
  const signedIn = await signInBrowserAs(service);
  const { cookies } = signedIn.client;
  const seen: string[] = [];
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map((pair) => pair.join('=')).join('; ');
    },
  });
  const send = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit & { headers: Headers }) => {
    seen.push(new URL(url).pathname);
    init.headers.set('cookie', document.cookie);
    init.headers.set('origin', 'http://app.test');
    const response = await send(url, init);
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    return response;
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { call } = await snippet('refreshed', service.url);
  return { ...signedIn, call, seen };
}

declare const document: { cookie: string };

test('the client of the page signs on: requests that fail together share one refresh', async () => {
  const service = await startTestService();
  const { call, seen } = await openPage(service);
  service.advance(16 * MINUTE);
  const [first, ...others] = await Promise.all(
    ['/me', '/me', '/sessions'].map((path) => call(path)),
  );
  expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(seen.filter((path) => path.endsWith('/refresh'))).toHaveLength(1);
});

test('it repeats the CSRF token, and recovers from a wrong one', async () => {
  const service = await startTestService();
  const { call, client } = await openPage(service);
  const change = { method: 'PATCH', body: JSON.stringify({ name: 'Ada' }) };
  expect((await call('/profile', change)).status).toBe(200);
  client.cookies.set('csrf-token', 'of nobody');
  expect((await call('/profile', change)).status).toBe(200);
});

test('it asks for a new sign-in where the session has ended', async () => {
  const service = await startTestService();
  const { call, user, seen } = await openPage(service);
  await endSessionsOfUser(service.services, { request: someRequest() }, user.id, 'revoked');
  const refused = await call('/me');
  expect([refused.status, (await refused.json()).code]).toEqual([401, 'SESSION_REVOKED']);
  expect(seen).toEqual(['/auth/me']);
});

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

test('the page names every page below APP_URL that the service leads to', () => {
  const source = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /(?<!\.test)\.ts$/.test(name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
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
