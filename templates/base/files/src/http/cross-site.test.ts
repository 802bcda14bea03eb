import { expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInBrowserAs, startSignedIn } from '../../test/sign-in-as.js';

const DAY = 24 * 60 * 60;

const csrfCookies = ({ setCookies }: Answer) =>
  setCookies.filter(({ name }) => name.endsWith('csrf-token'));

const OURS = 'http://app.test';
const FOREIGN = [
  'http://evil.test',
  'https://app.test',
  'http://app.test:8080',
  'http://app.test.evil.test',
  'http://evil-app.test',
  'null',
  '',
];

test('behind https cookies have prefixes: no other host can plant one', async () => {
  const { service, refreshToken } = await startSignedIn(
    {},
    { BASE_URL: 'https://auth.example.com' },
  );
  service.stopClock();
  const { setCookies } = await browser(service).post('/refresh', { refreshToken });
  const common = { value: expect.any(String), secure: true, sameSite: 'lax' };
  expect(setCookies).toEqual([
    { ...common, name: '__Host-accessToken', path: '/', httpOnly: true, maxAge: 900 },
    { ...common, name: '__Secure-refreshToken', path: '/auth', httpOnly: true, maxAge: 7 * DAY },
    { ...common, name: '__Host-csrf-token', path: '/', maxAge: 7 * DAY },
  ]);
});

test.each<[string, Record<string, string>]>([
  ['no header', { 'x-csrf-token': '' }],
  ['a guessed header', { 'x-csrf-token': 'guessed' }],
])('CSRF with %s is refused, and the refusal sets a new, valid token', async (_name, header) => {
  const { client } = await signInBrowserAs(await startTestService());
  const refused = await client.patch('/profile', { name: 'Eve' }, header);
  expect([refused.status, refused.body.code]).toEqual([403, 'CSRF_INVALID']);
  expect(csrfCookies(refused)).toHaveLength(1);
  expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await client.get('/me')).body.metadata.name).toBe('Ada');
});

test("the token of the attacker's own session is refused in the victim's", async () => {
  const service = await startTestService();
  const [victim, attacker] = [await signInBrowserAs(service), await signInBrowserAs(service)];
  victim.client.cookies.set('csrf-token', attacker.client.cookies.get('csrf-token') ?? '');
  expect((await victim.client.patch('/profile', {})).body.code).toBe('CSRF_INVALID');
});

test('a bearer request needs no token and is never handed a cookie', async () => {
  const { service, client, accessToken, refreshToken } = await startSignedIn();
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

test('a preflight of an allowed origin names the methods and headers it may send', async () => {
  const client = nativeClient(await startTestService());
  const { status, headers } = await client.send('OPTIONS', '/profile', undefined, {
    origin: OURS,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type,x-csrf-token',
  });
  expect(status).toBe(204);
  expect(headers.get('access-control-allow-origin')).toBe(OURS);
  expect(headers.get('access-control-allow-credentials')).toBe('true');
  expect(headers.get('access-control-allow-methods')).toContain('PATCH');
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
  expect(allowed).toEqual(
    expect.arrayContaining(['authorization', 'content-type', 'x-auth-strategy', 'x-csrf-token']),
  );
});

test('a preflight of a foreign origin is allowed nothing', async () => {
  const client = nativeClient(await startTestService());
  for (const origin of FOREIGN) {
    const { headers } = await client.send('OPTIONS', '/profile', undefined, {
      origin,
      'access-control-request-method': 'PATCH',
    });
    const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control'));
    expect([origin, allowed]).toEqual([origin, []]);
  }
});

test('a page of an allowed origin may read every response, refusals included', async () => {
  const client = browser(await startTestService());
  for (const path of ['/me', '/nothing', '/refresh']) {
    const { headers } = await client.get(path, { origin: OURS });
    expect(headers.get('access-control-allow-origin')).toBe(OURS);
    expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  }
});

test('a request that changes something is refused from a foreign origin', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  for (const origin of FOREIGN) {
    for (const path of ['/refresh', '/logout', '/sessions/cleanup']) {
      const { status, body } = await client.post(path, {}, { origin });
      expect([origin, path, status, body.code]).toEqual([origin, path, 403, 'ORIGIN_NOT_ALLOWED']);
    }
  }
  expect((await client.get('/me')).status).toBe(200);
});

test('the service itself is an allowed origin, and so are those of ALLOWED_ORIGINS', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  expect((await client.post('/refresh', {}, { origin: 'http://auth.test' })).status).toBe(200);

  const other = await startTestService({ ALLOWED_ORIGINS: 'https://one.test,https://two.test' });
  const { client: ofOther } = await signInBrowserAs(other);
  for (const origin of ['https://two.test', 'http://auth.test']) {
    expect((await ofOther.post('/refresh', {}, { origin })).status).toBe(200);
  }
  expect((await ofOther.post('/refresh', {}, { origin: OURS })).status).toBe(403);
});
