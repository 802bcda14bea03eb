import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

test.each<[string, (tokens: { accessToken: string; refreshToken: string }) => object]>([
  ['a bearer token', ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` })],
  ['the access cookie', ({ accessToken }) => ({ cookie: `accessToken=${accessToken}` })],
  ['the refresh cookie', ({ refreshToken }) => ({ cookie: `refreshToken=${refreshToken}` })],
  [
    'a vouched-for cookie',
    ({ refreshToken }) => ({ cookie: `__Secure-refreshToken=${refreshToken}` }),
  ],
])('%s alone ends the session', async (_name, headersOf) => {
  const service = await startTestService();
  const signedIn = await signInAs(service);
  const { status, body } = await browser(service).post('/logout', {}, { ...headersOf(signedIn) });
  expect([status, body]).toEqual([200, { success: true }]);
  expect((await signedIn.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('a refresh token in the body ends the session, even after the access token has expired', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  service.advance(60 * 60_000);
  expect((await client.post('/logout', { refreshToken })).status).toBe(200);
  expect((await client.post('/refresh', { refreshToken })).body.code).toBe('SESSION_REVOKED');
});

test('credentials of several sessions end them all', async () => {
  const service = await startTestService();
  const [one, two] = [await signInAs(service), await signInAs(service)];
  await one.client.post('/logout', { refreshToken: two.refreshToken });
  for (const { client } of [one, two]) {
    expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
  }
});

test('the other sessions of the user go on', async () => {
  const service = await startTestService();
  const [phone, laptop] = [
    await signInAs(service, { email: 'ada@example.com' }),
    await signInAs(service, { email: 'ada@example.com' }),
  ];
  await phone.client.post('/logout');
  expect((await laptop.client.get('/me')).status).toBe(200);
});

test.each<[string, unknown, Record<string, string>?]>([
  ['nothing', undefined],
  ['broken JSON', '{"refreshToken":'],
  ['an array', []],
  ['a wrong type', { refreshToken: { $ne: null } }],
  ['a forged token', { refreshToken: 'a.b.c' }],
  ['a form', 'refreshToken=x', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['more than BODY_LIMIT', ' '.repeat(200_000)],
  ['a wrong CSRF token', {}, { 'x-csrf-token': 'wrong' }],
  ['a wrong bearer token', {}, { authorization: 'Bearer wrong' }],
])('logout never refuses: not %s, and what is good ends', async (_name, body, headers) => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service);
  const { accessToken } = Object.fromEntries(client.cookies);
  const { status, body: answer } = await client.send('POST', '/logout', body, headers);
  expect([status, answer]).toEqual([200, { success: true }]);
  expect([...client.cookies]).toEqual([]);
  const after = await nativeClient(service, accessToken).get('/me');
  expect(after.body.code).toBe('SESSION_REVOKED');
});

test('logging out twice is as good as once', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  const answers = [await client.post('/logout'), await client.post('/logout')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const logouts = (await service.events()).filter(({ event }) => event.endsWith('logout'));
  expect(logouts).toHaveLength(1);
});

test('logout CSRF: a foreign page logs nobody out', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const { status, body } = await client.post('/logout', {}, { origin: 'http://evil.test' });
  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect((await client.get('/me')).status).toBe(200);
});

test('every variant of every cookie is cleared', async () => {
  const service = await startTestService({
    BASE_URL: 'https://auth.example.com',
    COOKIE_DOMAIN: 'example.com',
  });
  const { setCookies } = await browser(service).post('/logout');
  const cleared = setCookies.map(({ name, path, domain = 'host' }) => `${name} ${path} ${domain}`);
  const variantsOf = (kind: string, path: string) => [
    `__Host-${kind} / host`,
    ...[`__Secure-${kind}`, kind].flatMap((name) => [
      `${name} ${path} example.com`,
      `${name} ${path} host`,
    ]),
  ];
  expect(cleared.sort()).toEqual(
    [
      ...variantsOf('accessToken', '/'),
      ...variantsOf('refreshToken', '/auth'),
      ...variantsOf('csrf-token', '/'),
    ].sort(),
  );
  for (const { maxAge, value, secure } of setCookies) {
    expect([maxAge, value, secure]).toEqual([0, '', true]);
  }
});

test('the session that ended is an event, with its reason', async () => {
  const service = await startTestService();
  const { client, sessionId, user } = await signInAs(service);
  await client.post('/logout');
  const [revoked, logout] = (await service.events()).slice(-2);
  expect(revoked).toMatchObject({ data: { sessionId, reason: 'logout' } });
  expect(logout).toMatchObject({ event: 'identity.auth.logout', metadata: { userId: user.id } });
});
