import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../test/wire.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('every answer has a request id of its own, which a caller cannot choose', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  const chosen = { 'x-request-id': 'chosen-by-the-caller' };
  const answers = [
    await client.get('/me', chosen),
    await client.get('/nothing', chosen),
    await client.post('/me', {}, chosen),
    await client.post('/refresh', '{', chosen),
    await client.send('OPTIONS', '/me', undefined, chosen),
    await client.send('HEAD', '/me', undefined, chosen),
    await client.delete('/sessions/%zz', undefined, chosen),
  ];
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(UUID);
  expect(new Set(ids).size).toBe(answers.length);
});

test('events carry the correlation id of the caller', async () => {
  const service = await startTestService();
  const { refreshToken } = await signInAs(service);
  const id = 'order:42.retry-1_a';
  await nativeClient(service).post('/refresh', { refreshToken }, { 'x-correlation-id': id });
  const rotated = (await service.events()).find(({ event }) => event.endsWith('rotated'));
  expect(rotated?.metadata.correlationId).toBe(id);
});

test.each(['', 'two words', 'a/b', '<script>', 'x'.repeat(129), 'näher'])(
  'the correlation id "%s" is refused: events carry the request id instead',
  async (id) => {
    const service = await startTestService();
    const { refreshToken } = await signInAs(service);
    const headers = { 'x-correlation-id': id };
    const answer = await nativeClient(service).post('/refresh', { refreshToken }, headers);
    const rotated = (await service.events()).find(({ event }) => event.endsWith('rotated'));
    expect(rotated?.metadata.correlationId).toBe(answer.headers.get('x-request-id'));
  },
);

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

test('a bearer token wins over a cookie, even if only the cookie is good', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: 'ada@example.com' });
  expect((await client.get('/me')).body.email).toBe('ada@example.com');
  expect((await client.get('/me', { authorization: 'Bearer x' })).status).toBe(401);
  const { accessToken } = await signInAs(service, { email: 'bob@example.com' });
  const asBob = await client.get('/me', { authorization: `bearer ${accessToken}` });
  expect(asBob.body.email).toBe('bob@example.com');
});

test('bytes that are no request end the connection, not the service', async () => {
  const service = await startTestService();
  const broken = [
    requestText('GET /auth/me', ['Cookie: a\0b']),
    requestText('GET /auth/me', ['No colon here']),
    requestText('POST /auth/refresh', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
    requestText('POST /auth/refresh', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
    'nonsense\r\n\r\n',
  ];
  for (const text of broken) {
    const [answer] = await sendBytes(service, text);
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(answer?.headers.get('x-request-id')).toMatch(UUID);
  }
  expect((await browser(service).get('/me')).status).toBe(401);
});

test('headers that are too large are refused as such', async () => {
  const service = await startTestService();
  const huge = requestText('GET /auth/me', [`Cookie: ${'x'.repeat(100_000)}`]);
  const [answer] = await sendBytes(service, huge);
  expect(answer?.status).toBe(431);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'HEADERS_TOO_LARGE' });
});

test.each<[string, TestEnvironment, string, string]>([
  ['nobody is trusted', {}, '203.0.113.9', '127.0.0.1'],
  ['one proxy is trusted', { TRUST_PROXY: '1' }, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['a network is trusted', { TRUST_PROXY: '127.0.0.0/8' }, '203.0.113.9', '203.0.113.9'],
  ['another network is trusted', { TRUST_PROXY: '10.0.0.0/8' }, '203.0.113.9', '127.0.0.1'],
])('X-Forwarded-For, while %s', async (_name, environment, forwardedFor, address) => {
  const service = await startTestService(environment);
  const { refreshToken, client } = await signInAs(service);
  await client.post('/refresh', { refreshToken }, { 'x-forwarded-for': forwardedFor });
  const { body } = await client.get('/sessions');
  expect(body.sessions[0].ipAddress).toBe(address);
});
