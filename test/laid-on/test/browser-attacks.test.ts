import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Answer, browser, nativeClient } from './client.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, signInBrowserAs } from './sign-in-as.js';

const csrfCookies = ({ setCookies }: Answer) =>
  setCookies.filter(({ name }) => name.endsWith('csrf-token'));

test('a header without the cookie is refused', async () => {
  const { client } = await signInBrowserAs(await startTestService());
  const token = client.cookies.get('csrf-token') ?? '';
  client.cookies.delete('csrf-token');
  const { body } = await client.patch('/profile', {}, { 'x-csrf-token': token });
  expect(body.code).toBe('CSRF_INVALID');
});

test('the token of a browser that is not signed in is refused in a session', async () => {
  const service = await startTestService();
  const anonymous = browser(service);
  await anonymous.get('/me');
  const { client } = await signInBrowserAs(service);
  client.cookies.set('csrf-token', anonymous.cookies.get('csrf-token') ?? '');
  expect((await client.patch('/profile', {})).body.code).toBe('CSRF_INVALID');
});

test('a sibling domain that plants a bare cookie does not get past the vouched-for one', async () => {
  const service = await startTestService({ BASE_URL: 'https://auth.example.com' });
  const { client } = await signInBrowserAs(service);
  client.cookies.set('csrf-token', 'planted');
  const { status } = await client.patch('/profile', {}, { 'x-csrf-token': 'planted' });
  expect(status).toBe(403);
});

test('signing in replaces the token', async () => {
  const service = await startTestService();
  const client = browser(service);
  await client.get('/me');
  const before = client.cookies.get('csrf-token');
  const { refreshToken } = await signInAs(service);
  expect(csrfCookies(await client.post('/refresh', { refreshToken }))).toHaveLength(1);
  expect(client.cookies.get('csrf-token')).not.toBe(before);
  expect((await client.patch('/profile', {})).status).toBe(200);
});

test('a foreign page cannot end a session', async () => {
  const service = await startTestService();
  const { client, sessionId } = await signInBrowserAs(service);
  const forged = browser(service);
  forged.cookies.set('accessToken', client.cookies.get('accessToken') ?? '');
  const { body } = await forged.delete(`/sessions/${sessionId}`);
  expect(body.code).toBe('CSRF_INVALID');
  expect((await client.get('/me')).status).toBe(200);
});

test('a browser finds its way through sign-in, change and logout behind https', async () => {
  const { client } = await signInBrowserAs(
    await startTestService({ BASE_URL: 'https://auth.example.com' }),
  );
  expect((await client.patch('/profile', { name: 'Ada' })).status).toBe(200);
  expect((await client.post('/refresh')).status).toBe(200);
  expect((await client.get('/me')).body.metadata.name).toBe('Ada');
  expect((await client.post('/logout')).status).toBe(200);
  expect([...client.cookies]).toEqual([]);
});

test('COOKIE_SAMESITE and AUTH_PREFIX are those of the cookies', async () => {
  const service = await startTestService({
    BASE_URL: 'https://auth.example.com',
    COOKIE_SAMESITE: 'none',
    AUTH_PREFIX: '/id',
  });
  const { refreshToken } = await signInAs(service);
  const { setCookies } = await browser(service).post('/refresh', { refreshToken });
  expect(setCookies.map(({ sameSite }) => sameSite)).toEqual(['none', 'none', 'none']);
  expect(setCookies.find(({ name }) => name.endsWith('refreshToken'))?.path).toBe('/id');
});

const FOREIGN = [
  'http://evil.test',
  'https://app.test',
  'http://app.test:8080',
  'http://app.test.evil.test',
  'http://evil-app.test',
  'null',
];

test.each(FOREIGN)('a page of the origin "%s" may read no answer', async (origin) => {
  const { client } = await signInBrowserAs(await startTestService());
  const { headers } = await client.get('/me', { origin });
  expect(headers.has('access-control-allow-origin')).toBe(false);
});

test('every answer varies by origin, so that no cache hands one to another', async () => {
  const client = browser(await startTestService());
  expect((await client.get('/me')).headers.get('vary')).toContain('Origin');
  expect((await client.get('/me', { origin: 'http://app.test' })).headers.get('vary')).toContain(
    'Origin',
  );
});

test.each([
  ['broken encoding', 'accessToken=%E0%A4%A; csrf-token=%'],
  ['nothing but separators', ';;;=;=;  ;'],
  ['no value', 'accessToken; refreshToken='],
  ['the name of a prototype', '__proto__=x; constructor=y; accessToken=z'],
  ['quotes', 'accessToken="a.b.c"'],
  ['one name a hundred times', 'accessToken=a; '.repeat(100)],
  ['twelve thousand characters', `x=${'x'.repeat(12_000)}`],
])('cookies with %s are no credential', async (_name, cookie) => {
  const client = nativeClient(await startTestService());
  const { status, body } = await client.get('/me', { cookie });
  expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
});

test.each(['Bearer', 'Bearer ', 'Bearer a b c', 'Bearer \xff\xfe', 'Basic YTpi', 'Token x', 'x'])(
  'the authorization "%s" is no credential',
  async (authorization) => {
    const client = nativeClient(await startTestService());
    const { status, body } = await client.get('/me', { authorization });
    expect([status, body.code]).toEqual([401, 'INVALID_TOKEN']);
  },
);

test.each(['%', '%zz', '%ff', '%c3%28', '%E0%A4%A'])(
  'a path with the broken encoding %s is no path',
  async (handle) => {
    const { client } = await signInAs(await startTestService());
    const { status, body } = await client.delete(`/sessions/${handle}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  },
);

/** Sends requests that `fetch` cannot send; `headers` alternates names and values. */
async function send(
  service: TestService,
  method: string,
  path: string,
  headers: string[],
  body = '',
) {
  const host = new URL(service.url).host;
  const sent = request(service.url + path, { method, headers: ['host', host, ...headers] });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, body: await text(response) };
}

test('TRACE echoes nothing', async () => {
  const service = await startTestService();
  const { status, body } = await send(service, 'TRACE', '/auth/me', [
    'x-secret',
    'never-to-be-seen',
  ]);
  expect(status).toBe(405);
  expect(body).not.toContain('never-to-be-seen');
});

test('a header counts however many precede it: the address that a proxy adds cannot be pushed out', async () => {
  const service = await startTestService({ TRUST_PROXY: '1' });
  const { refreshToken, client } = await signInAs(service);
  const body = JSON.stringify({ refreshToken });
  const { status } = await send(
    service,
    'POST',
    '/auth/refresh',
    [
      ...['content-type', 'application/json', 'content-length', String(body.length)],
      ...['x-forwarded-for', '198.51.100.1'],
      ...Array.from({ length: 2100 }, () => ['a', '']).flat(),
      ...['x-forwarded-for', '203.0.113.9'],
    ],
    body,
  );
  expect(status).toBe(200);
  expect((await client.get('/sessions')).body.sessions[0].ipAddress).toBe('203.0.113.9');
});

test.each([
  ['0', '203.0.113.9', '127.0.0.1'],
  ['1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['2', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['2', '203.0.113.9', '203.0.113.9'],
  ['127.0.0.0/8', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['127.0.0.0/8,203.0.113.0/24', '198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['10.0.0.0/8', '203.0.113.9', '127.0.0.1'],
  ['1', '203.0.113.9:4711', '203.0.113.9'],
  ['1', '[2001:db8::9]:4711', '2001:db8::9'],
  ['127.0.0.0/8,10.0.0.0/8', '203.0.113.7:4711, 10.0.0.2:80', '203.0.113.7'],
  // The sender chooses the length of a zone.
  ['1', `fe80::1%${'x'.repeat(500)}`, '127.0.0.1'],
  ['1', 'unknown', '127.0.0.1'],
  ['1', 'x'.repeat(100), '127.0.0.1'],
])('with TRUST_PROXY=%s, X-Forwarded-For: %s is the client %s', async (trusted, forwarded, ip) => {
  const service = await startTestService({ TRUST_PROXY: trusted });
  const { refreshToken, client } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'x-forwarded-for': forwarded });
  const { body } = await client.get('/sessions');
  expect(body.sessions[0].ipAddress).toBe(ip);
});

test('a bearer token wins over a cookie, even if only the cookie is valid', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: 'ada@example.com' });
  expect((await client.get('/me')).body.email).toBe('ada@example.com');
  expect((await client.get('/me', { authorization: 'Bearer x' })).status).toBe(401);
  const { accessToken } = await signInAs(service, { email: 'bob@example.com' });
  const asBob = await client.get('/me', { authorization: `bearer ${accessToken}` });
  expect(asBob.body.email).toBe('bob@example.com');
});
