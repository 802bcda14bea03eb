import jwt from 'jsonwebtoken';
import { expect, test, vi } from 'vitest';
import { type Answer, browser } from './client.js';
import { startTestService, type TestEnvironment } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

const DAY = 24 * 60 * 60;

const SECURE = { BASE_URL: 'https://auth.example.com' };

/** The response that sets all cookies. */
async function cookiesUnder(environment: TestEnvironment): Promise<Answer['setCookies']> {
  const service = await startTestService(environment);
  service.stopClock();
  const { refreshToken } = await signInAs(service);
  const { setCookies } = await browser(service).post('/refresh', { refreshToken });
  return setCookies.map(({ value: _value, ...attributes }) => attributes as (typeof setCookies)[0]);
}

test('they live as long as their tokens', async () => {
  const short = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', REFRESH_TOKEN_TTL: '2d' });
  expect(short.map(({ maxAge }) => maxAge)).toEqual([300, 2 * DAY, 2 * DAY]);
  const shorter = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', SESSION_MAX_AGE: '60s' });
  expect(shorter.map(({ maxAge }) => maxAge)).toEqual([60, 60, 60]);
});

test('COOKIE_DOMAIN shares them with the hosts of a domain', async () => {
  const cookies = await cookiesUnder({ ...SECURE, COOKIE_DOMAIN: 'example.com' });
  expect(cookies.map(({ name, domain, path, secure }) => [name, domain, path, secure])).toEqual([
    ['__Secure-accessToken', 'example.com', '/', true],
    ['__Secure-refreshToken', 'example.com', '/auth', true],
    ['__Secure-csrf-token', 'example.com', '/', true],
  ]);
});

test.each([
  [{}, ''],
  [SECURE, '__Host-'],
  [{ ...SECURE, COOKIE_DOMAIN: 'example.com' }, '__Secure-'],
])(
  'attack: under %j only the names that it sets are read, and no planted ones',
  async (environment, prefix) => {
    const service = await startTestService(environment);
    const [ada, eve] = [await signInAs(service), await signInAs(service)];
    const others = ['__Host-', '__Secure-', ''].filter((each) => each !== prefix);
    const planted = others.map((each) => `${each}accessToken=${eve.accessToken}`);
    const own = `${prefix}accessToken=${ada.accessToken}`;
    const me = async (...cookies: string[]) =>
      (await browser(service).get('/me', { cookie: cookies.join('; ') })).body;

    expect((await me(...planted)).code).toBe('INVALID_TOKEN');
    expect((await me(`${prefix}accessToken=`, ...planted)).code).toBe('INVALID_TOKEN');
    for (const cookies of [
      [own, ...planted],
      [...planted, own],
    ]) {
      expect((await me(...cookies)).sub).toBe(ada.user.id);
    }
  },
);

test('attack: a script of the page never gets the tokens of HttpOnly cookies by asking for them in the body', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const asked = { 'x-auth-strategy': 'bearer' };

  const { status, body, setCookies } = await client.post('/refresh', undefined, asked);

  expect([status, body]).toEqual([200, { success: true }]);
  expect(setCookies.map(({ name }) => name)).toEqual(['accessToken', 'refreshToken', 'csrf-token']);
  const refreshToken = client.cookies.get('refreshToken');
  const own = await client.post('/refresh', { refreshToken }, asked);
  expect([Object.keys(own.body), own.setCookies]).toEqual([
    ['success', 'accessToken', 'refreshToken'],
    [],
  ]);
});

test('attack: a thousand cookies of one name cost no thousand checks', async () => {
  const client = browser(await startTestService());
  const verify = vi.spyOn(jwt, 'verify');
  const cookie = Array.from({ length: 1000 }, () => 'refreshToken=a').join('; ');
  expect((await client.post('/logout', undefined, { cookie })).status).toBe(200);
  expect(verify.mock.calls.length).toBeLessThan(200);
});

test('attack: malformed cookies are not decoded, one exception after the other', async () => {
  const client = browser(await startTestService());
  const decode = vi.spyOn(globalThis, 'decodeURIComponent');
  const cookie = Array.from({ length: 1000 }, (_, nth) => `${nth}=%`).join('; ');
  expect((await client.get('/me', { cookie })).status).toBe(401);
  expect(decode.mock.calls.length).toBeLessThan(100);
});

const csrfCookies = ({ setCookies }: Answer) =>
  setCookies.filter(({ name }) => name.endsWith('csrf-token'));

test('a planted pair of equal cookie and header is refused', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  for (const planted of ['x', `${'0'.repeat(64)}.${'0'.repeat(64)}`, '.', 'undefined']) {
    client.cookies.set('csrf-token', planted);
    const answer = await client.patch('/profile', { name: 'Eve' });
    expect([answer.status, answer.body.code]).toEqual([403, 'CSRF_INVALID']);
  }
});

test('a browser without the cookie gets it from any answer, and only once', async () => {
  const client = browser(await startTestService());
  const first = await client.get('/me');
  expect(first.status).toBe(401);
  expect(csrfCookies(first)).toEqual([
    { name: 'csrf-token', value: expect.any(String), path: '/', sameSite: 'lax', maxAge: 604_800 },
  ]);
  expect(csrfCookies(await client.get('/me'))).toEqual([]);
  expect(csrfCookies(await browser(await startTestService()).get('/openapi.json'))).toHaveLength(1);
});

test('a signed-in browser that lost the cookie gets one that is good for its session', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  client.cookies.delete('csrf-token');
  expect(csrfCookies(await client.get('/me'))).toHaveLength(1);
  expect((await client.patch('/profile', {})).status).toBe(200);
});

test('a sign-in outlives the late answer to a request that was sent before it, with a cookie of no session', async () => {
  const service = await startTestService(SECURE);
  const { client } = await signInBrowserAs(service);
  const before = browser(service);
  await before.get('/me');
  for (const [name, value] of before.cookies) client.cookies.set(name, value);
  expect((await client.get('/me')).status).toBe(200);
  expect((await client.post('/refresh')).status).toBe(200);
});

test('after a change of COOKIE_DOMAIN the latest of two refresh cookies counts, and the older one is no theft', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const older = client.cookies.get('refreshToken');
  service.advance(60_000);
  await client.post('/refresh');
  service.advance(60_000);
  const cookie = `refreshToken=${older} ;\trefreshToken = ${client.cookies.get('refreshToken')}`;
  const { status, setCookies } = await browser(service).post('/refresh', {}, { cookie });
  expect(status).toBe(200);
  const { value } = setCookies.find(({ name }) => name === 'refreshToken') ?? {};
  const latest = `refreshToken=${older}; refreshToken=${value}`;
  await browser(service).post('/logout', {}, { cookie: latest });
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('after a change of COOKIE_DOMAIN a CSRF cookie left over, which comes first, does not stand in the way', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
  const both = { cookie: `csrf-token=left.over; ${cookie}` };
  expect((await client.patch('/profile', {}, both)).status).toBe(200);
  const other = { ...both, 'x-csrf-token': 'left.over' };
  expect((await client.patch('/profile', {}, other)).body.code).toBe('CSRF_INVALID');
});

test('a refresh keeps the token, so that other tabs can go on', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const ofOtherTab = client.cookies.get('csrf-token') ?? '';
  const refreshed = await client.post('/refresh');
  expect(csrfCookies(refreshed).map(({ value }) => value)).toEqual([ofOtherTab]);
  const { status } = await client.patch('/profile', {}, { 'x-csrf-token': ofOtherTab });
  expect(status).toBe(200);
});

test('CSRF=off checks nothing and sets nothing', async () => {
  const { client } = await signInBrowserAs(await startTestService({ CSRF: 'off' }));
  expect([...client.cookies.keys()]).toEqual(['accessToken', 'refreshToken']);
  expect((await client.patch('/profile', {})).status).toBe(200);
});

test('over plain http, too, a deletion of a cookie with a prefix has what browsers ask for', async () => {
  const { setCookies } = await browser(await startTestService()).post('/logout');
  const prefixed = setCookies.filter(({ name }) => name.startsWith('__'));
  expect(prefixed.length).toBeGreaterThan(0);
  expect(prefixed.every(({ secure }) => secure)).toBe(true);
});
