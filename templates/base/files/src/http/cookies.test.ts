import { expect, test } from 'vitest';
import { type Answer, browser } from '../../test/client.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

const DAY = 24 * 60 * 60;
const SECURE = { BASE_URL: 'https://auth.example.com' };

/** The answer that sets all cookies. */
async function cookiesUnder(environment: TestEnvironment): Promise<Answer['setCookies']> {
  const service = await startTestService(environment);
  const { refreshToken } = await signInAs(service);
  const { setCookies } = await browser(service).post('/refresh', { refreshToken });
  return setCookies.map(({ value: _value, ...attributes }) => attributes as (typeof setCookies)[0]);
}

test('on plain http the cookies have bare names', async () => {
  const cookies = await cookiesUnder({ BASE_URL: 'http://auth.example.com' });
  expect(cookies).toEqual([
    { name: 'accessToken', path: '/', httpOnly: true, sameSite: 'lax', maxAge: 900 },
    { name: 'refreshToken', path: '/auth', httpOnly: true, sameSite: 'lax', maxAge: 7 * DAY },
    { name: 'csrf-token', path: '/', sameSite: 'lax', maxAge: 7 * DAY },
  ]);
});

test('behind https the browser vouches for them: no other host can plant one', async () => {
  const cookies = await cookiesUnder(SECURE);
  const common = { secure: true, sameSite: 'lax' };
  expect(cookies).toEqual([
    { ...common, name: '__Host-accessToken', path: '/', httpOnly: true, maxAge: 900 },
    { ...common, name: '__Secure-refreshToken', path: '/auth', httpOnly: true, maxAge: 7 * DAY },
    { ...common, name: '__Host-csrf-token', path: '/', maxAge: 7 * DAY },
  ]);
});

test('COOKIE_DOMAIN shares them with the hosts of a domain', async () => {
  const cookies = await cookiesUnder({ ...SECURE, COOKIE_DOMAIN: 'example.com' });
  expect(cookies.map(({ name, domain, path, secure }) => [name, domain, path, secure])).toEqual([
    ['__Secure-accessToken', 'example.com', '/', true],
    ['__Secure-refreshToken', 'example.com', '/auth', true],
    ['__Secure-csrf-token', 'example.com', '/', true],
  ]);
});

test('COOKIE_SAMESITE and AUTH_PREFIX are theirs', async () => {
  const cookies = await cookiesUnder({ ...SECURE, COOKIE_SAMESITE: 'none', AUTH_PREFIX: '/id' });
  expect(cookies.map(({ sameSite }) => sameSite)).toEqual(['none', 'none', 'none']);
  expect(cookies.find(({ name }) => name.endsWith('refreshToken'))?.path).toBe('/id');
});

test('they live as long as their tokens', async () => {
  const short = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', REFRESH_TOKEN_TTL: '2d' });
  expect(short.map(({ maxAge }) => maxAge)).toEqual([300, 2 * DAY, 2 * DAY]);
  const shorter = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', SESSION_MAX_AGE: '60s' });
  for (const { maxAge = 0 } of shorter) {
    expect(maxAge).toBeGreaterThan(55);
    expect(maxAge).toBeLessThanOrEqual(60);
  }
});

test('no script can read a token', async () => {
  const cookies = await cookiesUnder({});
  const readable = cookies.filter(({ httpOnly }) => !httpOnly).map(({ name }) => name);
  expect(readable).toEqual(['csrf-token']);
});

test('the best vouched-for variant is read: a planted bare cookie changes nothing', async () => {
  const service = await startTestService();
  const [ada, eve] = [
    await signInAs(service, { email: 'ada@example.com' }),
    await signInAs(service, { email: 'eve@example.com' }),
  ];
  const emailFor = async (...cookies: string[]) =>
    (await browser(service).get('/me', { cookie: cookies.join('; ') })).body.email;
  const [own, planted] = [ada.accessToken, eve.accessToken];

  const secure = `__Secure-accessToken=${own}`;
  expect(await emailFor(`accessToken=${planted}`, secure)).toBe('ada@example.com');
  expect(await emailFor(secure, `accessToken=${planted}`)).toBe('ada@example.com');
  const host = `__Host-accessToken=${own}`;
  expect(await emailFor(`__Secure-accessToken=${planted}`, host)).toBe('ada@example.com');
  expect(await emailFor('__Host-accessToken=', `accessToken=${own}`)).toBe('ada@example.com');
});

test('a browser finds its way through sign-in, change and logout behind https', async () => {
  const { client } = await signInBrowserAs(await startTestService(SECURE));
  expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await client.post('/refresh')).status).toBe(200);
  expect((await client.get('/me')).body.metadata.name).toBe('Ada');
  expect((await client.post('/logout')).status).toBe(200);
  expect([...client.cookies]).toEqual([]);
});
