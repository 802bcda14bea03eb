import { expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../../test/client.js';
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

test('they live as long as their tokens', async () => {
  const short = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', REFRESH_TOKEN_TTL: '2d' });
  expect(short.map(({ maxAge }) => maxAge)).toEqual([300, 2 * DAY, 2 * DAY]);
  const shorter = await cookiesUnder({ ACCESS_TOKEN_TTL: '5m', SESSION_MAX_AGE: '60s' });
  for (const { maxAge = 0 } of shorter) {
    expect(maxAge).toBeGreaterThan(55);
    expect(maxAge).toBeLessThanOrEqual(60);
  }
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

const csrfCookies = ({ setCookies }: Answer) =>
  setCookies.filter(({ name }) => name.endsWith('csrf-token'));

test.each<[string, Record<string, string>]>([
  ['no header', { 'x-csrf-token': '' }],
  ['a guessed header', { 'x-csrf-token': 'guessed' }],
])(
  'CSRF with %s is refused, and the refusal brings a token that is good',
  async (_name, header) => {
    const { client } = await signInBrowserAs(await startTestService());
    const refused = await client.patch('/profile', { name: 'Eve' }, header);
    expect([refused.status, refused.body.code]).toEqual([403, 'CSRF_INVALID']);
    expect(csrfCookies(refused)).toHaveLength(1);
    expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
    expect((await client.get('/me')).body.metadata.name).toBe('Ada');
  },
);

test('a planted pair of equal cookie and header is refused', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  for (const planted of ['x', `${'0'.repeat(64)}.${'0'.repeat(64)}`, '.', 'undefined']) {
    client.cookies.set('csrf-token', planted);
    const answer = await client.patch('/profile', { name: 'Eve' });
    expect([answer.status, answer.body.code]).toEqual([403, 'CSRF_INVALID']);
  }
});

test("the token of the attacker's own session is refused in the victim's", async () => {
  const service = await startTestService();
  const [victim, attacker] = [await signInBrowserAs(service), await signInBrowserAs(service)];
  victim.client.cookies.set('csrf-token', attacker.client.cookies.get('csrf-token') ?? '');
  expect((await victim.client.patch('/profile', {})).body.code).toBe('CSRF_INVALID');
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

test('a refresh keeps the token, so that other tabs can go on', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const ofOtherTab = client.cookies.get('csrf-token') ?? '';
  const refreshed = await client.post('/refresh');
  expect(csrfCookies(refreshed).map(({ value }) => value)).toEqual([ofOtherTab]);
  const { status } = await client.patch('/profile', {}, { 'x-csrf-token': ofOtherTab });
  expect(status).toBe(200);
});

test('a bearer request needs no token and is never handed a cookie', async () => {
  const service = await startTestService();
  const { client, accessToken, refreshToken } = await signInAs(service);
  const onlyAuthorization = { authorization: `Bearer ${accessToken}` };
  const answers = [
    await client.patch('/profile', {}),
    await browser(service).patch('/profile', {}, onlyAuthorization),
    await client.get('/nothing'),
    await nativeClient(service).get('/me'),
    await nativeClient(service).post('/refresh', { refreshToken }),
    await client.post('/logout'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200, 200]);
  expect(answers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
});

test('CSRF=off checks nothing and sets nothing', async () => {
  const { client } = await signInBrowserAs(await startTestService({ CSRF: 'off' }));
  expect([...client.cookies.keys()]).toEqual(['accessToken', 'refreshToken']);
  expect((await client.patch('/profile', {})).status).toBe(200);
});
