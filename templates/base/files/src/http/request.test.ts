import { pino } from 'pino';
import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService, type TestEnvironment } from '../../test/service.js';
import { signInAs, signInBrowserAs } from '../../test/sign-in-as.js';

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

test('a bearer token wins over a cookie, even if only the cookie is good', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: 'ada@example.com' });
  expect((await client.get('/me')).body.email).toBe('ada@example.com');
  expect((await client.get('/me', { authorization: 'Bearer x' })).status).toBe(401);
  const { accessToken } = await signInAs(service, { email: 'bob@example.com' });
  const asBob = await client.get('/me', { authorization: `bearer ${accessToken}` });
  expect(asBob.body.email).toBe('bob@example.com');
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

test.each([
  '/',
  '/me',
  '/auth',
  '/auth/',
  '/auth/nothing',
  '/auth/me/',
  '/AUTH/ME',
  '//auth/me',
  '/auth/me/more',
  '/auth/sessions/a/b',
  '/auth/me%2f',
  '/auth/sessions/',
  '/.env',
])('there is nothing at %s', async (path) => {
  const client = nativeClient({ ...(await startTestService()), prefix: '' });
  const { status, body } = await client.get(path);
  expect([status, body]).toEqual([404, { error: expect.any(String), code: 'NOT_FOUND' }]);
});

test.each([
  ['a NUL', '%00'],
  ['a line break', '%0d%0aX-Injected:%20yes'],
  ['SQL', "'%20or%20'1'='1"],
  ['a path upwards', '..%2f..%2fetc%2fpasswd'],
  ['a key as an emoji', '%F0%9F%94%91'],
  ['four thousand characters', 'x'.repeat(4000)],
  ['the name of a prototype', '__proto__'],
])('%s in a path parameter is an unknown handle', async (_name, handle) => {
  const { client } = await signInAs(await startTestService());
  const { status, body, headers } = await client.delete(`/sessions/${handle}`);
  expect([status, body.code]).toEqual([404, 'SESSION_NOT_FOUND']);
  expect(headers.has('x-injected')).toBe(false);
});

test.each([
  ['POST', '/me', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/profile', 'PATCH, OPTIONS'],
  ['GET', '/refresh', 'POST, OPTIONS'],
  ['HEAD', '/refresh', 'POST, OPTIONS'],
  ['PUT', '/sessions/cleanup', 'POST, OPTIONS'],
  ['PROPFIND', '/sessions', 'GET, HEAD, OPTIONS'],
])(
  '%s %s is not a method of that path; Allow names those that are',
  async (method, path, allow) => {
    const client = nativeClient(await startTestService());
    const { status, body, headers } = await client.send(method, path);
    expect(status).toBe(405);
    if (method !== 'HEAD') expect(body.code).toBe('METHOD_NOT_ALLOWED');
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  },
);

test('OPTIONS names the methods of a path', async () => {
  const client = nativeClient(await startTestService());
  const { status, headers } = await client.send('OPTIONS', '/sessions');
  expect(status).toBe(204);
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(headers.get('x-request-id')).toBeTruthy();
  // RFC 9110 §8.6: not in a 204.
  expect(headers.has('content-length')).toBe(false);
});

test('AUTH_PREFIX moves every route', async () => {
  const service = await startTestService({ AUTH_PREFIX: '/api/identity' });
  expect(service.prefix).toBe('/api/identity');
  const { client } = await signInAs(service);
  expect((await client.get('/me')).status).toBe(200);
  expect((await fetch(`${service.url}/auth/me`)).status).toBe(404);
});

test('a defect is answered with 500 INTERNAL and told to the log alone', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const service = await startTestService({}, { log });
  const { client } = await signInAs(service);
  await service.services.db.schema.dropTable('sessions').execute();
  const { status, headers, body } = await client.get('/me');
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'Something went wrong on our side.', code: 'INTERNAL' });

  const entry = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed');
  expect(entry.requestId).toBe(headers.get('x-request-id'));
  expect(entry.err.stack).toContain('sessions');
});

test('no answer lets anything of the inside out', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  await service.services.db.schema.dropTable('sessions').execute();
  const answers = [
    await client.get('/me'),
    await client.get('/sessions'),
    await client.delete("/sessions/'"),
    await client.patch('/profile', '{"name":'),
    await client.delete('/sessions/%zz'),
  ];
  for (const { body, headers } of answers) {
    const whole = JSON.stringify([body, ...headers]);
    expect(whole).not.toMatch(/select |delete from|table|relation|node_modules|\bat \w+ \(/i);
    expect(headers.has('x-powered-by')).toBe(false);
  }
});

test('no cache may keep an answer, and no browser may guess its type', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  const answers = [
    await client.post('/refresh', { refreshToken }),
    await client.get('/me'),
    await client.get('/nothing'),
    await client.get('/openapi.json'),
    await browser(service).get('/me'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a request is a line at LOG_LEVEL=debug, without what its path and query hold', async () => {
  let written = '';
  const write = (line: string) => {
    written += line;
  };
  const log = pino({ level: 'debug' }, { write });
  const service = await startTestService({}, { log });
  const { client } = await signInAs(service);
  const { headers } = await client.delete('/sessions/sesame?token=sesame');
  await client.send('PUT', '/me?token=sesame');
  await client.get('/sesame?token=sesame');
  const lines = written.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['DELETE', '/auth/sessions/:handle', 404],
    ['PUT', '/auth/me', 405],
    ['GET', undefined, 404],
  ]);
  expect(requests[0]).toMatchObject({
    requestId: headers.get('x-request-id'),
    ms: expect.any(Number),
  });
  expect(written).not.toContain('sesame');
});
